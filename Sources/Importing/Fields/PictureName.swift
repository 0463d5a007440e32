/// Recognises pictures by the names of files, for files that are not opened.
enum PictureName {
    /// The extensions of formats that are read.
    private static let readableExtensions = [".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".gif", ".webp"]
    /// The extensions of other picture formats. A user who lists such a file means a picture, and is told how to
    /// convert it.
    private static let otherExtensions = [
        ".heic", ".heif", ".avif", ".tif", ".tiff", ".bmp", ".svg", ".jxl", ".jp2", ".j2k", ".ico", ".dng", ".cr2",
        ".cr3", ".nef", ".arw", ".raf", ".orf", ".rw2",
    ]

    /// Whether a file with this name should contain a picture that can be read.
    static func isReadable(_ name: String) -> Bool { ends(name, with: readableExtensions) }

    /// Whether a file with this name should contain a picture, even if it can't be read.
    static func isPicture(_ name: String) -> Bool {
        ends(name, with: readableExtensions) || ends(name, with: otherExtensions)
    }

    private static func ends(_ name: String, with endings: [String]) -> Bool {
        let name = name.suffix(8).lowercased()
        return endings.contains { name.hasSuffix($0) }
    }
}
