internal import PhotoModel

/// Collects the warnings for a manifest's author. Each unknown key is mentioned once, however many entries have it.
struct ManifestWarnings {
    /// The maximum number of warnings; nobody reads more.
    static let maximumCount = 1_000

    private var others: [ManifestDiagnostic] = []
    private var unknownKeys: [ExactText: (first: TextPosition, count: Int)] = [:]

    mutating func add(_ message: String, at position: TextPosition) {
        others.append(ManifestDiagnostic(position: position, message: message))
    }

    mutating func addUnknownKey(_ key: String, at position: TextPosition) {
        unknownKeys[ExactText(key), default: (position, 0)].count += 1
    }

    /// The warnings in no particular order.
    var all: [ManifestDiagnostic] { others + unknownKeyWarnings }

    /// The first warnings, and one that says how many more there are.
    ///
    /// - Parameter warnings: the warnings in the order of their positions.
    static func limited(_ warnings: [ManifestDiagnostic]) -> [ManifestDiagnostic] {
        guard warnings.count > maximumCount else { return warnings }
        let omitted = warnings.count - maximumCount
        let rest = ManifestDiagnostic(
            position: warnings[maximumCount].position,
            message: "\(omitted) more \(omitted == 1 ? "warning" : "warnings") from here on"
        )
        return warnings.prefix(maximumCount) + [rest]
    }

    /// The warnings about unknown keys. The search for the nearest known key takes a while, so it is made only for as
    /// many as are shown.
    private var unknownKeyWarnings: [ManifestDiagnostic] {
        let inOrder = unknownKeys.sorted {
            ($0.value.first.line, $0.value.first.column) < ($1.value.first.line, $1.value.first.column)
        }
        return inOrder.enumerated().map { index, found in
            let message =
                index < Self.maximumCount ? Self.message(found.key.text, count: found.value.count) : "unknown key"
            return ManifestDiagnostic(position: found.value.first, message: message)
        }
    }

    private static func message(_ key: String, count: Int) -> String {
        let hint =
            EntryKey.nearest(to: key).map { "did you mean '\($0.rawValue)'?" }
            ?? "known are " + EntryKey.allCases.map(\.rawValue).joined(separator: ", ")
        let others = count > 1 ? ", here and in \(count - 1) more" : ""
        return "unknown key \(key.quoted)\(others) (\(hint))"
    }
}
