internal import Foundation
package import Imaging

extension SettingParsers {
    /// Parses "jpeg" or "jpeg,webp", in any order. JPEG is required, because feeds, social cards and old browsers don't
    /// support WebP.
    package static func formats(_ text: String) -> PublishedFormats? {
        switch Set(formatNames(text)) {
        case ["jpeg"]: .jpeg
        case ["jpeg", "webp"]: .jpegAndWebP
        default: nil
        }
    }

    package static func formatsProblem(_ text: String) -> String? {
        let names = formatNames(text)
        guard let wrong = names.first(where: { !["jpeg", "webp"].contains($0) }) else {
            return names.contains("webp") ? "jpeg is required: feeds and social cards need it" : nil
        }
        if wrong == "png" { return "transparent pictures are published as PNG automatically" }
        if let name = unwritten[wrong] { return "\(name) is not supported" }
        return NearestName.find(wrong, in: ["jpeg", "webp"]).map { "there is no '\(wrong)'; did you mean \($0)?" }
    }

    private static let unwritten = ["avif": "AVIF", "heic": "HEIC", "heif": "HEIF", "jxl": "JPEG XL", "gif": "GIF"]

    private static func formatNames(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
    }
}
