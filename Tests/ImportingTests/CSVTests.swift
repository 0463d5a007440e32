import Importing
import Manifest
import PhotoModel
import Testing

@Suite struct CSVTests {
    @Test("The header names the keys, in any case and with the words that other programs use")
    func header() throws {
        let list = try Import.file(
            """
            Title,Image URL,Description,Photographer,Licence,Date Taken,Keywords,URL,Rating
            Lake,https://example.org/a.jpg,Seen at dawn,Ada,CC BY 4.0,2024-05-06,sea; sky,https://example.org/lake,4
            """, name: "list.csv")
        let photo = try #require(list.photos.first)
        #expect(photo.name == "Lake")
        #expect(photo.address == "https://example.org/a.jpg")
        #expect(photo.details.caption == "Seen at dawn")
        #expect(photo.details.credit == "Ada")
        #expect(photo.details.license == "CC BY 4.0")
        #expect(photo.details.date == "2024-05-06T00:00:00Z")
        #expect(photo.details.tags == ["sea", "sky"])
        #expect(photo.details.link == "https://example.org/lake")
        #expect(photo.details.rating == 4)
        #expect(list.warnings.isEmpty)
    }

    @Test(
        "Real files have line breaks and quotes in fields, byte order marks and other separators",
        arguments: [
            "\u{FEFF}name;file\r\n\"A \"\"good\"\" one;\r\nreally\";a.jpg\r\n",
            "name\tfile\n\"A \"\"good\"\" one;\nreally\"\ta.jpg",
            "name|file\r\"A \"\"good\"\" one;\rreally\"  |a.jpg\r\r",
        ])
    func dialects(_ text: String) throws {
        let list = try Import.file(text)
        #expect(list.names == ["A \"good\" one; really"])
        #expect(list.addresses == ["a.jpg"])
    }

    @Test(
        "A line above the header can name the separator, as Excel writes it",
        arguments: [
            "sep=;\r\nname;file\r\nA, B;a.jpg\r\n", "\u{FEFF}sep=,\nname,file\n\"A, B\",a.jpg\n",
            "SEP=\t\rname\tfile\rA, B\ta.jpg\r", #"sep=\t"# + "\nname\tfile\nA, B\ta.jpg\n",
            "\"sep=;\"\nname;file\nA, B;a.jpg\n", "sep=^\n\nname^file\nA, B^a.jpg\n",
        ])
    func namedSeparator(_ text: String) throws {
        for name in ["list", "list.csv"] {
            let list = try Import.file(text, name: name)
            #expect(list.names == ["A, B"])
            #expect(list.addresses == ["a.jpg"])
        }
    }

    @Test("The named separator counts even if the header has more of another")
    func namedSeparatorCounts() throws {
        let list = try Import.file("sep=;\nfile;name, place, year\na.jpg;Lake\n", name: "list.csv")
        #expect(list.addresses == ["a.jpg"])
    }

    @Test("A line that names the separator counts in the positions of errors")
    func positionBelowNamedSeparator() throws {
        let error = try #require(throws: ImportError.self) { try Import.file("sep=;\nname;file\nä;\"a.jpg\n") }
        #expect(error == .csv(.openQuote, line: 3, column: 3))
    }

    @Test("A first line that only begins like the name of a separator is the header, or an address")
    func noNamedSeparator() throws {
        #expect(throws: ImportError.noAddressColumn(["sep=", "", ""])) { try Import.file("sep=;;", name: "x.csv") }
        #expect(try Import.file("sep=1.jpg\nb.jpg\n").addresses == ["sep=1.jpg", "b.jpg"])
    }

    @Test("A quote inside a field that does not begin with one is text")
    func inch() throws {
        #expect(try Import.file("name,file\n5\" x 7\",a.jpg\n").names == ["5\" x 7\""])
    }

    @Test(
        "A field can be HTML, whose markup is removed, but text that only looks like a tag stays",
        arguments: [
            ("Jane Doe <jane@example.org>", "Jane Doe <jane@example.org>"),
            ("Range a <b at noon", "Range a <b at noon"),
            ("x <!-- y", "x <!-- y"), ("<none>", "<none>"), ("1 < 2 &amp; 3", "1 < 2 & 3"), ("a <", "a <"),
            ("<p>Seen <b>at dawn</b><br/>by <A HREF='x'>Ada</A></p>", "Seen at dawn by Ada"),
            ("left<!-- out < of --> over", "left over"), ("a<!-- <b>x</b> --> <!-- y", "a <!-- y"),
            ("<!--[if gte mso 9]><xml>&lt;</xml><![endif]--><![if !x]>Lake<![endif]><o:p></o:p>", "Lake"),
            ("<![CDATA[Lake <b>at</b> dawn]]>", "Lake at dawn"), ("a <![CDATA[b < c]]> <p>d</p>", "a b < c d"),
            ("<![CDATA[<![CDATA[x]]>]]>", "<![CDATA[x]]>"), ("km <![ 3 and 5 > 4", "km <![ 3 and 5 > 4"),
            ("<?xml:namespace prefix = o />Lake", "Lake"), ("<!DOCTYPE html><p>Lake</p>", "Lake"),
            ("<urn:isbn:0451450523> end", "<urn:isbn:0451450523> end"), ("call <tel:555> now", "call <tel:555> now"),
            ("use the <title> element", "use the element"), ("<O:P>Lake</O:P>", "Lake"),
            ("<a title='a<b'>Ada</a>", "Ada"), ("see <http://example.org/a>", "see <http://example.org/a>"),
            ("<body><main>Lake</main></body>", "Lake"), ("<script>if (a < b) run()</script>over", "over"),
        ])
    func markup(_ field: String, text: String) throws {
        let list = try Import.file("caption,file\n\"\(field)\",a.jpg\n")
        #expect(list.photos.first?.details.caption == text)
    }

    @Test(
        "The lines of a caption stay, without indentation and empty lines at its ends, also in the list that is read",
        arguments: [
            ("First\n  Second & third", "First\nSecond & third"), ("\n \nFirst\n\n\nSecond\n\n", "First\n\nSecond"),
            ("First\u{2028}Second\u{B}", "First\nSecond"), ("<p>First\n<br>second</p>", "First second"),
        ])
    func captionLines(field: String, caption: String) throws {
        let list = try Import.file("caption,credit,file\n\"\(field)\",\"Ada\nand Ben\",a.jpg\n")
        #expect(list.photos.map(\.details.caption) == [caption])
        let details = try Import.written(list).photos[0].details
        #expect(details.caption == caption)
        #expect(details.credit == "Ada and Ben")
    }

    @Test("The error about an unclosed quote gives its line and column")
    func openQuote() throws {
        let error = try #require(throws: ImportError.self) {
            try Import.file("name,file\nä,\"a.jpg\n" + String(repeating: "b,c\n", count: 1_000), name: "x.csv")
        }
        #expect(error == .csv(.openQuote, line: 2, column: 3))
        #expect(error.message(for: "x.csv").hasPrefix("x.csv:2:3: this quote never ends"))
    }

    @Test("The error about text after a closing quote gives its position")
    func textAfterQuote() throws {
        let error = try #require(throws: ImportError.self) { try Import.file("name,file\n\"a\"b,c.jpg", name: "x.csv") }
        #expect(error == .csv(.textAfterQuote, line: 2, column: 4))
    }

    @Test("Without a column of addresses the error lists the columns")
    func noAddress() throws {
        let error = try #require(throws: ImportError.self) { try Import.file("number,artist\n1,Ada", name: "x.csv") }
        #expect(error == .noAddressColumn(["number", "artist"]))
    }

    @Test("A column of albums makes albums, and rows without an address are counted")
    func albums() throws {
        let list = try Import.file("file,album\na.jpg,Travel/Iceland\n,\nb.jpg,\n")
        #expect(list.photos.map(\.album) == [["Travel", "Iceland"], []])
        #expect(list.warnings == ["1 of its entries have no address that a list can name (row 3)"])
        #expect(try Import.written(list).albums == [["Travel"], ["Travel", "Iceland"]])
    }

    @Test("An invalid filter is left out, as it would stop every build")
    func filter() throws {
        let list = try Import.file("file,filter\na.jpg,sepia(0.5)\nb.jpg,Ha\n")
        #expect(list.photos.map(\.filter) == ["sepia(0.5)", nil])
        #expect(list.warnings == ["1 filter is left out, because it is none of gallerygen's (row 3)"])
    }

    @Test("Ratings and links that a list can't contain are left out with a warning for each column")
    func unusableValues() throws {
        let list = try Import.file(
            """
            file,stars,link
            a.jpg,4,https://example.org/a
            b.jpg,4/5,https://ada@example.org/b
            c.jpg,,
            d.jpg,6,www.example.org/d
            e.jpg, 0.5 ,ftp://example.org/e
            """, name: "list.csv")
        #expect(list.photos.map(\.details.rating) == [4, nil, nil, nil, 0.5])
        #expect(list.photos.map(\.details.link) == ["https://example.org/a", nil, nil, nil, nil])
        #expect(
            list.warnings == [
                "2 ratings are left out, because they are not numbers from 0 to 5 (rows 3 and 5)",
                "3 links are left out, because they are no http(s) addresses, or contain a user name (rows 3, 5 and 6)",
            ])
    }

    @Test("The page of a picture that is no address is warned about if its column is named url")
    func pageWithoutAddress() throws {
        let list = try Import.file("image,url\na.jpg,www.example.org/a\n", name: "list.csv")
        #expect(list.photos.map(\.details.link) == [nil])
        #expect(list.warnings.map { $0.hasPrefix("1 link is left out") } == [true])
    }

    @Test("A column that can have a link is not warned about for another text")
    func sourceWithoutLink() throws {
        let list = try Import.file("image,source\na.jpg,A friend\nb.jpg,https://example.org/b\n", name: "list.csv")
        #expect(list.photos.map(\.details.link) == [nil, "https://example.org/b"])
        #expect(list.warnings == [])
    }

    @Test(
        "Rows are numbered as in a spreadsheet, which counts empty ones, and has a row of several lines once",
        arguments: ["", "sep=,\r\n"])
    func rowNumbers(above: String) throws {
        let list = try Import.file(above + "name,file\r\nA,\r\n\r\n\"B\nb\",b.jpg\r\nC,\r\n", name: "list.csv")
        #expect(list.warnings == ["2 of its entries have no address that a list can name (rows 2 and 5)"])
    }

    @Test("Of 2,000 bad rows, one warning names the first")
    func manyBadRows() throws {
        let rows = String(repeating: "A,\n", count: 2_000)
        let list = try Import.file("name,file\nA,a.jpg\n" + rows, name: "list.csv")
        #expect(
            list.warnings == ["2000 of its entries have no address that a list can name (rows 3, 4, 5, 6, 7 and more)"])
        let fewer = try Import.file("name,file\nA,a.jpg\n" + rows.prefix(15), name: "list.csv")
        #expect(fewer.warnings == ["5 of its entries have no address that a list can name (rows 3, 4, 5, 6 and 7)"])
    }

    @Test("Bytes that are not UTF-8 are read as Windows-1252, with a warning")
    func encoding() throws {
        let list = try Import.file(Array("name,file\nCaf".utf8) + [0xE9] + Array(",a.jpg".utf8))
        #expect(list.names == ["Café"])
        #expect(list.warnings.count == 1)
    }
}
