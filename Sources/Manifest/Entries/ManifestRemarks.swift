/// Collects the remarks for a manifest's author. Each unknown key is mentioned once, however many entries have it.
struct ManifestRemarks {
    /// The maximum number of remarks; nobody reads more.
    static let most = 1_000

    private var remarks: [ManifestDiagnostic] = []
    private var unknownKeys: [ExactText: (first: TextPosition, count: Int)] = [:]

    mutating func add(_ message: String, at position: TextPosition) {
        remarks.append(ManifestDiagnostic(position: position, message: message))
    }

    mutating func addUnknownKey(_ key: String, at position: TextPosition) {
        unknownKeys[ExactText(key), default: (position, 0)].count += 1
    }

    /// The remarks in no particular order.
    var warnings: [ManifestDiagnostic] { remarks + unknownKeyWarnings }

    /// The first remarks, and one that says how many more there are.
    ///
    /// - Parameter remarks: the remarks in the order of their positions.
    static func foremost(_ remarks: [ManifestDiagnostic]) -> [ManifestDiagnostic] {
        guard remarks.count > most else { return remarks }
        let left = remarks.count - most
        let rest = ManifestDiagnostic(
            position: remarks[most].position, message: "\(left) more \(left == 1 ? "warning" : "warnings") from here on"
        )
        return remarks.prefix(most) + [rest]
    }

    /// The remarks about unknown keys. The search for the nearest known key takes a while, so it is made only for as
    /// many as are shown.
    private var unknownKeyWarnings: [ManifestDiagnostic] {
        let inOrder = unknownKeys.sorted {
            ($0.value.first.line, $0.value.first.column) < ($1.value.first.line, $1.value.first.column)
        }
        return inOrder.enumerated().map { index, found in
            let message = index < Self.most ? Self.words(found.key.text, count: found.value.count) : "unknown key"
            return ManifestDiagnostic(position: found.value.first, message: message)
        }
    }

    private static func words(_ key: String, count: Int) -> String {
        let hint =
            EntryKey.nearest(to: key).map { "did you mean '\($0.rawValue)'?" }
            ?? "known are " + EntryKey.allCases.map(\.rawValue).joined(separator: ", ")
        let others = count > 1 ? ", here and in \(count - 1) more" : ""
        return "unknown key \(key.quoted)\(others) (\(hint))"
    }
}
