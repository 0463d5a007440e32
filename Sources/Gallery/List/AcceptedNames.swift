internal import Ledger
internal import Manifest
internal import PhotoModel

/// The names of `--accept`: photos whose suspicious pictures are accepted.
package struct AcceptedNames: Sendable {
    /// The name that stands for all photos.
    private static let all = "*"

    private let names: Set<String>

    /// - Parameter names: names of photos, with or without the names of their albums ("Coast / Lighthouse"), or "*".
    package init(_ names: [String]) { self.names = Set(names) }

    func contains(_ photo: ManifestPhoto) -> Bool {
        guard !names.isEmpty else { return false }
        return names.contains(Self.all) || names.contains(photo.name) || names.contains(Self.path(of: photo))
    }

    /// A warning for each name under which no photo is suspicious.
    func warnings(_ records: [PhotoRecord]) -> [String] {
        guard !names.isEmpty else { return [] }
        let suspicious = records.filter { $0.remembered?.marks[.suspicious] != nil }.map(\.photo)
        let known = Set(suspicious.flatMap { [$0.name, Self.path(of: $0)] })
        if names.contains(Self.all) {
            return suspicious.isEmpty ? ["--accept '*': no photo is suspicious"] : []
        }
        return names.subtracting(known).sorted().map { name in
            let others = suspicious.map { "'\(Self.path(of: $0))'" }
            let hint = others.isEmpty ? "" : "; suspicious are \(others.prefix(5).joined(separator: ", "))"
            return "--accept '\(name)': no photo of that name is suspicious\(hint)\(others.count > 5 ? ", …" : "")"
        }
    }

    private static func path(of photo: ManifestPhoto) -> String {
        (photo.album + [photo.name]).joined(separator: " / ")
    }
}
