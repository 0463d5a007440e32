import Testing

/// New entries before an entry that has comments.
extension ListMergeTests {
    private static func text(_ albums: String) -> String {
        "<plist>\(albums.replacing("[b]", with: entry("b")))</plist>"
    }

    @Test(
        "A new entry before the first one goes above the comments that belong to that one",
        arguments: [
            "<dict> <!-- ask Anna --> <key>b</key>[b]</dict>", "<array><!-- ask Anna -->[b]</array>",
            "<dict>\n  <!-- ask Anna -->\n  <key>b</key>\n  [b]\n</dict>",
            "<array>\r\n  <!-- ask Anna\r\n  or Bo --> <!-- before June -->\r\n  <!-- new -->\r\n  [b]\r\n</array>",
            "<array> <!-- the best first -->\n\n<!-- ask Anna -->[b]</array>",
            "<array>\n<!-- the best first -->\n\n  <!-- ask Anna -->\n  [b]\n</array>",
        ])
    func commentsOfFirst(_ albums: String) throws {
        let text = Self.text(albums)
        let comment = try #require(text.firstRange(of: "<!-- ask Anna")).lowerBound
        let end = try #require(text.firstRange(of: "b.jpg")).upperBound
        let merged = try Self.merge(Self.list("a", "b"), into: text)
        #expect(try Self.names(merged.text) == ["a", "b"])
        #expect(merged.text.hasPrefix(text[..<comment]))
        #expect(merged.text.contains(text[comment..<end]))
        #expect(try Self.merge(Self.list("a", "b"), into: merged.text).text == merged.text)
    }

    @Test(
        "A new entry before the first one goes below the comments on the album",
        arguments: [
            "<array> <!-- the best first -->\n  [b]\n</array>", "<array>\n  <!-- the best first -->\n\n  [b]\n</array>",
            "<dict> <!-- the best\nfirst -->\n \n<key>b</key>[b]</dict>",
        ])
    func commentsOfAlbum(_ albums: String) throws {
        let text = Self.text(albums)
        let end = try #require(text.firstRange(of: "first -->")).upperBound
        let merged = try Self.merge(Self.list("a", "b"), into: text)
        #expect(try Self.names(merged.text) == ["a", "b"])
        #expect(merged.text.hasPrefix(text[..<end]))
    }

    @Test("A new entry before the first one leaves the mark at the entry that left the source")
    func markOfFirst() throws {
        let left = try Self.merge(Self.list("b"), into: Self.new(Self.list("a", "b")))
        let back = try Self.merge(Self.list("new", "a", "b"), into: left.text)
        #expect(try Self.names(back.text) == ["new", "a", "b"])
        #expect(back.text == (try Self.new(Self.list("new", "a", "b"))))
    }
}
