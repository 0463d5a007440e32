/// What a command line says: its manifests, and the settings that have a flag there.
package struct GivenArguments {
    package let manifests: [String]
    /// Setting name → text.
    package let flags: [String: String]

    init(_ manifests: ManifestNames, _ flags: [[String: String]]) {
        self.manifests = manifests.names
        self.flags = flags.reduce(into: [:]) { $0.merge($1) { $1 } }
    }

    /// The command that shows the state of the same gallery, ready for a shell. nil where it would need standard input
    /// again, or a manifest's address whose query may be a secret.
    var statusCommand: String? {
        guard manifests.allSatisfy({ $0 != "-" && !ManifestArguments.isURL($0) }) else { return nil }
        let places = BuildSettings.table.places
        var words = ["gallerygen", "status"] + manifests
        for name in [places.state.name, places.config.name, places.output.name] {
            if let value = flags[name] { words += ["--" + name, value] }
        }
        return words.map(ShellWord.quoted).joined(separator: " ")
    }
}
