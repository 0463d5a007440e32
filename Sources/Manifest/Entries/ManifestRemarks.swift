/// Collects what a manifest's author should know, each unknown key once however many entries have it.
struct ManifestRemarks {
    private var remarks: [ManifestDiagnostic] = []
    private var unknownKeys: [ExactText: (first: TextPosition, count: Int)] = [:]

    mutating func add(_ message: String, at position: TextPosition) {
        remarks.append(ManifestDiagnostic(position: position, message: message))
    }

    mutating func addUnknownKey(_ key: String, at position: TextPosition) {
        unknownKeys[ExactText(key), default: (position, 0)].count += 1
    }

    /// In no particular order.
    var warnings: [ManifestDiagnostic] {
        remarks
            + unknownKeys.map { key, places in
                ManifestDiagnostic(position: places.first, message: Self.words(key.text, count: places.count))
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
