/// The origin of a manifest. It decides how relative addresses resolve, and whether the manifest may name local files.
package enum ManifestOrigin: Hashable, Sendable {
    /// A file: its absolute path, and the path as the user gave it.
    case file(path: String, shown: String)
    /// Standard input: relative addresses are meant from this absolute folder.
    case standardInput(directory: String)
    /// An absolute http or https URL, and what may be shown of it.
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
