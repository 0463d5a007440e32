internal import Gallery

/// The program's name and version, as they appear on pages, in requests and in messages.
enum Version {
    static let number = "1.0.0"
    static let generator = "gallerygen \(number)"
    /// The output of --version: the number, which programs read, and the libraries that are loaded.
    static var text: String { ([number] + LoadedLibraries.descriptions).joined(separator: "\n") + "\n" }
    static let userAgent = "gallerygen/\(number)"
}
