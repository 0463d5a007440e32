import Importing
import Manifest
import PhotoModel
import Testing

@Suite struct FeedTests {
    @Test("RSS with Media RSS gives the largest picture of a group, with the channel's rights")
    func mediaRSS() throws {
        let list = try Import.remote(
            """
            <?xml version="1.0" encoding="ISO-8859-1"?>
            <rss version="2.0" xmlns:m="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/">
            <channel><title>T</title><copyright>CC0</copyright><image><url>logo.png</url></image>
            <item><title>Lake &amp; sea</title><link>https://example.org/1</link>
              <description>&lt;p&gt;Seen &lt;b&gt;today&lt;/b&gt;&lt;/p&gt;</description>
              <pubDate>Mon, 06 May 2024 10:00:00 +0200</pubDate><category>sea</category><category>sky</category>
              <dc:creator>Ada</dc:creator>
              <m:group><m:content url="s.jpg" medium="image" width="100"/>
              <m:content url="l.jpg" type="image/jpeg" width="900"/></m:group>
              <m:content url="v.mp4" medium="video"/><m:thumbnail url="t.jpg"/></item>
            <item><title>No picture</title></item>
            </channel></rss>
            """)
        let photo = try #require(list.photos.first)
        #expect(list.addresses == ["https://example.org/shows/l.jpg"])
        #expect(photo.name == "Lake & sea")
        #expect(photo.details.caption == "Seen today")
        #expect(photo.details.date == "2024-05-06T08:00:00Z")
        #expect(photo.details.tags == ["sea", "sky"])
        #expect(photo.details.credit == "Ada")
        #expect(photo.details.license == "CC0")
        #expect(photo.details.link == "https://example.org/1")
        #expect(list.warnings == ["1 of its entries have no picture"])
    }

    @Test("The author of an entry is the name, wherever the mail address is")
    func author() throws {
        for author in ["<email>a@example.org</email><name>Ada</name>", "<name>Ada</name><email>a@example.org</email>"] {
            let list = try Import.remote(
                """
                <feed xmlns="http://www.w3.org/2005/Atom"><entry><author>\(author)</author>
                <link rel="enclosure" type="image/jpeg" href="a.jpg"/></entry></feed>
                """)
            #expect(list.photos.map(\.details.credit) == ["Ada"])
        }
    }

    @Test("Atom gives enclosures, or else the pictures in the text, relative to the feed's base")
    func atom() throws {
        let list = try Import.remote(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="/base/"><title>T</title><author><name>Bo</name></author>
            <entry><title>A</title><link href="a.html"/><link rel="enclosure" type="image/png" href="a.png"/>
              <updated>2024-01-01T00:00:00Z</updated><category term="x"/></entry>
            <entry><title>B</title><content type="html">&lt;img src="b.jpg" alt="Bee"&gt;</content></entry>
            <entry><title>C</title><content type="xhtml">
              <div xmlns="http://www.w3.org/1999/xhtml"><img src="c.jpg"/></div>
              </content><summary>Sea</summary></entry></feed>
            """)
        #expect(list.addresses == ["a.png", "b.jpg", "c.jpg"].map { "https://example.org/base/" + $0 })
        #expect(list.names == ["A", "B", "C"])
        #expect(list.photos[0].details.credit == "Bo")
        #expect(list.photos[0].details.link == "https://example.org/base/a.html")
        #expect(list.photos[1].details.alt == "Bee")
        #expect(list.photos[2].details.caption == "Sea")
    }

    @Test(
        "A publication date with an impossible time or time zone stays a text",
        arguments: [
            "Mon, 01 Jan 2024 -9223372036854775807:00:00 GMT", "Mon, 01 Jan 2024 10:00:-5 GMT",
            "Mon, 01 Jan 2024 -6:00:00 GMT", "Mon, 01 Jan 2024 10:00:00 +36:00", "Mon, 01 Jan 2024 10:00:00 +99:99",
        ])
    func noDate(text: String) throws {
        let list = try Import.remote(
            """
            <rss version="2.0"><channel><title>T</title><item><title>A</title><pubDate>\(text)</pubDate>
              <enclosure url="a.jpg" type="image/jpeg"/></item></channel></rss>
            """)
        #expect(list.photos.map(\.details.date) == [text])
        #expect(try Import.written(list).photos.map(\.details.date) == [text])
    }

    @Test("RSS 1.0 is read too")
    func rdf() throws {
        let list = try Import.remote(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
            <channel><title>T</title></channel>
            <item><title>A</title><description>&lt;img src='a.gif'></description></item></rdf:RDF>
            """)
        #expect(list.addresses == ["https://example.org/shows/a.gif"])
    }

    @Test("No entity of another file is read, and none that the feed defines")
    func entities() throws {
        let feed = """
            <!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]>
            <rss><channel><item><title>A&x;</title><enclosure url="a.jpg"/></item></channel></rss>
            """
        let error = try #require(throws: ImportError.self) { try Import.remote(feed) }
        #expect(error.message(for: "feed").contains("Entity 'x' not defined"))
    }

    @Test("The depth of nesting and the number of attributes are limited")
    func bounds() throws {
        let deep = try #require(throws: ImportError.self) {
            try Import.remote("<rss>" + String(repeating: "<a>", count: 100_000))
        }
        #expect(deep == .markup(.tooDeep(limit: 256), line: 1))
        let attributes = (0..<50_000).map { "a\($0)='' " }.joined()
        #expect(throws: ImportError.self) { try Import.remote("<rss \(attributes)>") }
        #expect(throws: ImportError.self) { try Import.remote("<rss><item><title>A") }
    }
}
