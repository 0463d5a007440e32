internal import Manifest

/// The contents of a command line: the manifests, and the settings that were given as flags.
package struct GivenArguments: Sendable {
    package let manifests: [String]
    /// The values of the flags as texts, by the name of the setting.
    package let flags: [String: String]
    /// The names of `--accept`.
    var accepted: [String] = []

    init(_ manifests: ManifestNames, _ flags: [[String: String]]) { self.init(manifests.names, flags) }

    /// - Parameter manifests: none for a command that takes none.
    init(_ manifests: [String], _ flags: [[String: String]]) {
        self.manifests = manifests
        self.flags = flags.reduce(into: [:]) { $0.merge($1) { $1 } }
    }

    /// The command that shows the state of the same gallery, quoted for a shell. It is nil if a manifest is standard
    /// input, which can be read only once, or a URL, whose query might be a secret.
    var statusCommand: String? {
        guard manifests.allSatisfy({ $0 != "-" && !ManifestArguments.isURL($0) }) else { return nil }
        let locations = SettingsTable.table.locations
        var words = ["gallerygen", "status"] + manifests
        for name in [locations.state.name, locations.config.name, locations.output.name] {
            if let value = flags[name] { words += ["--" + name, value] }
        }
        return words.map(ShellWord.quoted).joined(separator: " ")
    }
}
