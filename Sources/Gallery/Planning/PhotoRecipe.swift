internal import Imaging

/// Everything except the original that can change a byte or the number of a photo's derivatives, and the limit on
/// pixels under which the original was accepted. The ledger keeps it with the photo as lines of a name and a value, so
/// that `--explain` can tell what changed.
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
        // The line of formats was added later than the others. The default adds no line, so that older recipes stay the
        // same.
        if options.formats != .jpeg { lines.append((Self.formats, options.formats.rawValue)) }
        text = RecipeLines.text(lines)
    }

    /// The differences from an older recipe, in the order of the lines.
    func changes(since old: String) -> [PhotoPlan.RenderReason] {
        RecipeLines.differences(from: old, to: text).compactMap { name, old, new in
            // A change of the limit changes no derivative of a picture that is within it.
            if name == Self.limit { return nil }
            if name == Self.encoder { return .otherEncoder }
            if name == Self.formats {
                let values = [old, new].map { $0 == RecipeLines.none ? PublishedFormats.jpeg.rawValue : $0 }
                return .setting(name: name, old: values[0], new: values[1])
            }
            guard name == Self.filter else { return .setting(name: name, old: old, new: new) }
            // The versions of filters are shown only if nothing else differs.
            let (plainOld, plainNew) = (FilterChain.text(ofIdentity: old), FilterChain.text(ofIdentity: new))
            return plainOld == plainNew
                ? .setting(name: name, old: old, new: new) : .setting(name: name, old: plainOld, new: plainNew)
        }
    }

    /// Whether a change affects lossless pictures.
    static func concernsPNG(_ change: PhotoPlan.RenderReason) -> Bool {
        if case .setting(quality, _, _) = change { false } else { true }
    }
}

/// Lines of a name, a space and a value. `PhotoRecipe` and `SiteInputs` are stored in this form.
enum RecipeLines {
    static func text(_ lines: [(name: String, value: String)]) -> String {
        lines.map { "\($0.name) \($0.value.replacing("\n", with: " "))" }.joined(separator: "\n")
    }

    /// The value shown for a line that only the other text has.
    static let none = "none"

    /// The lines that differ, in the order of the new text. Lines that only the old text has come last.
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
    /// Makes a dictionary of lines. Of several lines with the same name, the first counts.
    fileprivate init(_ lines: [(name: String, value: String)], uniquingKeysWithValues: Void) {
        self.init(lines.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
