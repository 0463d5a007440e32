import Foundation

/// Generates the fixtures that are too large to be stored.
enum GeneratedManifests {
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """
    private static let pictures = [
        "baseline-420-97x61.jpg", "progressive-444-97x61.jpg", "grey-baseline.jpg", "size-33x31.jpg",
        "restart-every-row.jpg",
    ]

    /// - Returns: nil if the fixture of this name is stored.
    static func bytes(_ name: String) throws -> [UInt8]? {
        switch name {
        case "ten-thousand.plist": Array(photos(10_000).utf8)
        case "nested-100000.plist": Array(nested(100_000).utf8)
        case "one-megabyte-name.plist": Array(longName(1_000_000).utf8)
        case "twelve-megabyte-name.plist": Array(longName(12_000_000).utf8)
        case "classic-photos-http.plist.in":
            Array(
                try String(contentsOf: URL(filePath: Fixtures.directory).appending(path: name), encoding: .utf8)
                    .replacing("@BASE@", with: "http://127.0.0.1:8080").utf8)
        default: nil
        }
    }

    /// A list of `count` photos that repeats five small pictures.
    static func photos(_ count: Int) -> String {
        head + "<dict>\n"
            + (0..<count).map { index in
                let number = String(index + 1)
                let name = "Photo " + String(repeating: "0", count: 6 - number.count) + number
                return entry(name, "../images/jpeg/\(pictures[index % pictures.count])")
            }.joined() + "</dict>\n</plist>\n"
    }

    /// The manifest has one photo within `depth` nested dicts.
    static func nested(_ depth: Int) -> String {
        head + String(repeating: "<dict><key>a</key>\n", count: depth)
            + "<string>../samples/autumn-mountain.jpg</string>\n"
            + String(repeating: "</dict>\n", count: depth) + "</plist>\n"
    }

    /// The manifest has one photo, whose name is `length` bytes long.
    static func longName(_ length: Int) -> String {
        head + "<dict>\n" + entry(String(repeating: "x", count: length), "../samples/autumn-mountain.jpg")
            + "</dict>\n</plist>\n"
    }

    /// A property list around `value`, whose first line is line 4.
    static func plist(_ value: String) -> [UInt8] {
        Array((head + value + "\n</plist>\n").utf8)
    }

    private static func entry(_ name: String, _ address: String) -> String {
        "\t<key>\(name)</key>\n\t<string>\(address)</string>\n"
    }
}
