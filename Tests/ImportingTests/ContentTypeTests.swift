import Importing
import PhotoModel
import Testing

/// The encoding of a source that a server names: it counts less than a byte order mark and more than all else.
@Suite struct ContentTypeTests {
    /// "湖" in Shift_JIS; in Windows-1252 these bytes are "ŒÎ".
    private static let lake: [UInt8] = [0x8C, 0xCE]

    private static func page(head: String = "", mark: [UInt8] = []) -> [UInt8] {
        mark + Array("<html>\(head)<img src='a.jpg' alt='".utf8) + lake + Array("'></html>".utf8)
    }

    private static func caption(_ page: [UInt8], _ contentType: String?) throws -> String? {
        try Import.remote(page, contentType: contentType).photos.first?.details.caption
    }

    @Test(
        "The charset of a page is that of its Content-Type field, however it is written",
        arguments: [
            "text/html; charset=Shift_JIS", "text/html;charset=\"shift_jis\"", "text/html; a=b; CHARSET = sjis ;c=d",
        ])
    func page(contentType: String) throws {
        #expect(try Self.caption(Self.page(), contentType) == "湖")
        #expect(try Self.caption(Self.page(head: "<meta charset='windows-1252'>"), contentType) == "湖")
    }

    @Test(
        "A charset that is not known or not named does not count",
        arguments: ["text/html; charset=none-such", "text/html; charset=", "text/html", "", ";;=;charset", nil])
    func unknown(contentType: String?) throws {
        #expect(try Self.caption(Self.page(), contentType) == "ŒÎ")
        #expect(try Self.caption(Self.page(head: "<meta charset='shift_jis'>"), contentType) == "湖")
    }

    @Test("A server that calls other bytes UTF-8 is not believed")
    func falseUTF8() throws {
        let contentType = "text/html; charset=UTF-8"
        #expect(try Self.caption(Self.page(head: "<meta charset='shift_jis'>"), contentType) == "湖")
        let list = try Import.remote(Array("url,name\na.jpg,Caf".utf8) + [0xE9], contentType: "text/csv; charset=utf8")
        #expect(list.names == ["Café"])
        #expect(list.warnings == ["it is not UTF-8 and was read as Windows-1252"])
    }

    @Test("A byte order mark counts more than the Content-Type field")
    func mark() throws {
        let page = [0xEF, 0xBB, 0xBF] + Array("<html><img src='a.jpg' alt='湖'></html>".utf8)
        #expect(try Self.caption(page, "text/html; charset=Shift_JIS") == "湖")
        let feed = [0xEF, 0xBB, 0xBF] + Array("<rss><item><title>湖</title><enclosure url='a.jpg'/></item></rss>".utf8)
        #expect(try Import.remote(feed, contentType: "text/xml; charset=Shift_JIS").names == ["湖"])
    }

    @Test("The charset of a text and a CSV is that of the Content-Type field, without a warning")
    func texts() throws {
        let text = Array("https://example.org/a.jpg ".utf8) + Self.lake
        let table = Array("url,name\na.jpg,".utf8) + Self.lake
        for bytes in [text, table] {
            let list = try Import.remote(bytes, contentType: "text/plain; charset=Shift_JIS")
            #expect(list.names == ["湖"])
            #expect(list.warnings == [])
        }
        let guessed = try Import.remote(table, contentType: "text/csv; charset=none-such")
        #expect(guessed.names == ["ŒÎ"])
    }

    @Test("The charset of a feed is that of the Content-Type field, else that of its XML declaration")
    func feed() throws {
        func feed(_ declaration: String) -> [UInt8] {
            Array("\(declaration)<rss><item><enclosure url='a.jpg'/><title>".utf8) + Self.lake
                + Array("</title></item></rss>".utf8)
        }
        let type = "application/rss+xml; charset=Shift_JIS"
        for declaration in ["", "<?xml version='1.0'?>", "<?xml version='1.0' encoding='windows-1252'?>"] {
            #expect(try Import.remote(feed(declaration), contentType: type).names == ["湖"])
        }
        let declared = feed("<?xml version='1.0' encoding='windows-1252'?>")
        #expect(try Import.remote(declared, contentType: "text/xml; charset=none-such").names == ["ŒÎ"])
    }

    @Test("JSON is UTF-8, whatever the Content-Type field says")
    func json() throws {
        let json = Array("[{\"url\": \"a.jpg\", \"name\": \"湖\"}]".utf8)
        #expect(try Import.remote(json, contentType: "application/json; charset=Shift_JIS").names == ["湖"])
    }
}
