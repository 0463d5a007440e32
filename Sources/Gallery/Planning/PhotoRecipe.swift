internal import Imaging

/// Everything except the original that can change a byte or the number of a photo's derivatives, and the limit under
/// which the original was accepted. The ledger keeps it with the photo as lines of a name and a value, so that
/// `--explain` can tell what changed.
struct PhotoRecipe: Hashable, Sendable {
    let text: String

    private static let filter = "filter"
    private static let quality = "quality"
    private static let formats = "formats"
    private static let encoder = "encoder"
    private static let limit = "max-pixels"

    init(_ options: DerivativeOptions) {
        let widths = Set(options.widths).sorted().map { String($0) }.joined(separator: ", ")
        var lines = [
            (Self.filter, options.filter.identity), ("widths", widths), (Self.quality, String(options.quality)),
            ("originals", options.publishesUnfiltered ? "published" : "not published"),
            (Self.encoder, ImagingVersion.description), (Self.limit, String(options.maxPixels)),
        ]
        // This line is newer than the others, so the default adds none: older recipes stay the same.
        if options.formats != .jpeg { lines.append((Self.formats, options.formats.rawValue)) }
        text = RecipeLines.text(lines)
    }

    /// The differences from an older recipe, in the order of the lines.
    func changes(since old: String) -> [PhotoPlan.RenderReason] {
        RecipeLines.differences(from: old, to: text).compactMap { name, old, new in
            // A limit that the picture does not exceed changes nothing.
            if name == Self.limit { return nil }
            if name == Self.encoder { return .otherEncoder }
            if name == Self.formats {
                let values = [old, new].map { $0 == RecipeLines.none ? PublishedFormats.jpeg.rawValue : $0 }
                return .setting(name: name, old: values[0], new: values[1])
            }
            guard name == Self.filter else { return .setting(name: name, old: old, new: new) }
            // Versions are of interest only where nothing else differs.
            let (plainOld, plainNew) = (Self.withoutVersions(old), Self.withoutVersions(new))
            return plainOld == plainNew
                ? .setting(name: name, old: old, new: new) : .setting(name: name, old: plainOld, new: plainNew)
        }
    }

    /// Whether a change affects pictures without lossy compression.
    static func concernsPNG(_ change: PhotoPlan.RenderReason) -> Bool {
        if case .setting(quality, _, _) = change { false } else { true }
    }

    /// "sepia/1(0.8)" as people write it: "sepia(0.8)".
    private static func withoutVersions(_ identity: String) -> String {
        identity.replacing(/\/[0-9]+\(/, with: "(")
    }
}

/// Lines of a name, a space and a value: the form in which `PhotoRecipe` and `SiteInputs` are stored.
enum RecipeLines {
    static func text(_ lines: [(name: String, value: String)]) -> String {
        lines.map { "\($0.name) \($0.value.replacing("\n", with: " "))" }.joined(separator: "\n")
    }

    /// Stands for a line that only the other text has.
    static let none = "none"

    /// The lines that differ, in the new text's order.
    static func differences(from old: String, to new: String) -> [(name: String, old: String, new: String)] {
        let (before, after) = (lines(old), lines(new))
        let values = Dictionary(before, uniquingKeysWithValues: ())
        let present = Dictionary(after, uniquingKeysWithValues: ())
        let changed = after.filter { values[$0.name] != $0.value }.map {
            ($0.name, values[$0.name] ?? none, $0.value)
        }
        let gone = before.filter { present[$0.name] == nil }.map { ($0.name, $0.value, none) }
        return changed + gone
    }

    private static func lines(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }
}

extension Dictionary where Key == String, Value == String {
    /// The first of several lines with the same name counts.
    fileprivate init(_ lines: [(name: String, value: String)], uniquingKeysWithValues: Void) {
        self.init(lines.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
