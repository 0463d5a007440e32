/// The command that makes a list of something that is none, ready to be pasted into a shell.
package struct ImportCommand {
    package let text: String

    /// - Returns: nil for what no list is made of.
    init?(_ content: ForeignContent, origin: ManifestOrigin) {
        switch content {
        case .file: return nil
        case .picture:
            guard case .file(_, let shown) = origin else { return nil }
            let folder = shown.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            self.init(folder: shown.hasPrefix("/") && folder.isEmpty ? "/" : folder.isEmpty ? "." : folder)
        case .text: self.init(origin, fileEnding: "txt")
        case .root("html"), .root("HTML"): self.init(origin, fileEnding: "html")
        case .root("rss"), .root("feed"), .root("RDF"), .root("rdf:RDF"): self.init(origin, fileEnding: "xml")
        case .root: return nil
        }
    }

    /// - Parameter folder: of pictures, as the user named it.
    package init(folder: String) {
        text = "gallerygen init --from \(Self.word(folder))"
    }

    /// - Parameter fileEnding: of a file whose name is the one that the list is to have.
    init(_ origin: ManifestOrigin, fileEnding: String) {
        switch origin {
        case .standardInput: text = "gallerygen init --from -"
        case .remote(let url, let shown):
            // What is not shown may be a secret.
            text = "gallerygen init --from \(url == shown ? Self.word(url) : "ADDRESS")"
        case .file(_, "photos.plist"), .file(_, "./photos.plist"):
            text = "mv photos.plist photos.\(fileEnding) && gallerygen init --from photos.\(fileEnding)"
        case .file(_, let shown): text = "gallerygen init --from \(Self.word(shown))"
        }
    }

    /// A name that begins with a hyphen would be taken for an option.
    private static func word(_ name: String) -> String {
        ConversionCommands.shellWord(name.utf8.first == UInt8(ascii: "-") ? "./" + name : name)
    }
}
