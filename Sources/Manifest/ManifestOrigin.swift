/// The origin of a manifest. It decides how relative addresses resolve, and whether the manifest may name local files.
package enum ManifestOrigin: Hashable, Sendable {
    /// A file, with its absolute path and the path that the user gave.
    case file(path: String, shown: String)
    /// Standard input, with the absolute path of the folder that relative addresses refer to.
    case standardInput(directory: String)
    /// An absolute http or https URL, and the part of it that may be shown.
    case remote(url: String, shown: String)

    /// The manifest's name in messages.
    package var shown: String {
        switch self {
        case .file(_, let shown), .remote(_, let shown): shown
        case .standardInput: "standard input"
        }
    }

    package var isRemote: Bool { if case .remote = self { true } else { false } }
}
