/// The command that makes a list from other content, ready to be pasted into a shell.
package struct ImportCommand {
    package let text: String

    /// - Returns: nil if no list can be made from the content.
    init?(_ content: UnexpectedContent, origin: ManifestOrigin) {
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

    /// - Parameter folder: a folder of pictures, as the user named it.
    package init(folder: String) {
        text = "gallerygen init --from \(Self.word(folder))"
    }

    /// - Parameter fileEnding: the extension for a file that has the name of the list to be made, photos.plist.
    init(_ origin: ManifestOrigin, fileEnding: String) {
        switch origin {
        case .standardInput: text = "gallerygen init --from -"
        case .remote(let url, let shown):
            // The parts that are not shown can be secret.
            text = "gallerygen init --from \(url == shown ? Self.word(url) : "ADDRESS")"
        case .file(_, "photos.plist"), .file(_, "./photos.plist"):
            text = "mv photos.plist photos.\(fileEnding) && gallerygen init --from photos.\(fileEnding)"
        case .file(_, let shown): text = "gallerygen init --from \(Self.word(shown))"
        }
    }

    /// Quotes a name for the shell. A name that begins with a hyphen would be taken for an option.
    private static func word(_ name: String) -> String {
        ShellWord.quoted(name.utf8.first == UInt8(ascii: "-") ? "./" + name : name)
    }
}
