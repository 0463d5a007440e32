/// The program's name and version, as pages, servers and people see it.
enum Version {
    static let number = "1.0.0"
    static let generator = "gallerygen \(number)"
    static let userAgent = "gallerygen/\(number)"
}
