internal import Foundation
internal import Manifest
internal import PhotoModel
package import Site

/// The inputs of all pages other than the photos. If they are the same and no photo looks different, the site is the
/// same. The ledger keeps them with the output folder as lines of a name and a value, so that `--explain` can tell what
/// changed.
package struct SiteInputs: Hashable, Sendable {
    static let templates = "templates"
    static let list = "list"
    static let ratings = "ratings"

    package let text: String

    /// - Parameter manifests: the bytes of the manifests. Photos, albums and details all follow from them.
    package init(
        settings: SiteSettings, templates: TemplateSet, ratings: Ratings = .none, manifests: [ManifestBytes]
    ) throws(GalleryError) {
        let list = manifests.map { "\($0.origin) \(Digest(of: $0.bytes))" }.joined(separator: " ")
        var lines = try Self.lines(of: settings)
        lines += [
            (Self.ratings, Self.digest(of: ratings)), (Self.templates, templates.digest.hex),
            (Self.list, Digest(of: list).hex),
        ]
        text = RecipeLines.text(lines)
    }

    private static func digest(of ratings: Ratings) -> String {
        let lines = ratings.votes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.rawValue)" }
        return Digest(of: lines.joined(separator: "\n")).hex
    }

    /// The lines of all settings by their own names, including settings that are added later.
    private static func lines(of settings: SiteSettings) throws(GalleryError) -> [(name: String, value: String)] {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.withoutEscapingSlashes]
            let object = try JSONSerialization.jsonObject(with: try encoder.encode(settings)) as? [String: Any] ?? [:]
            return object.sorted { $0.key < $1.key }.map { ($0.key, String(describing: $0.value)) }
        } catch {
            throw .bug("settings that can't be written: \(error)")
        }
    }

    /// - Parameter old: the text that the ledger has.
    func changes(since old: String) -> [PublishReason] {
        RecipeLines.differences(from: old, to: text).map { .input(name: $0.name, old: $0.old, new: $0.new) }
    }
}
