/// A warning or an error about a manifest, for its author.
package struct ManifestDiagnostic: Hashable, Sendable, CustomStringConvertible {
    package let position: TextPosition
    package let message: String

    package init(position: TextPosition, message: String) {
        self.position = position
        self.message = message
    }

    /// The position and the message: "photos.plist:14:9: unknown key 'captoin' (did you mean 'caption'?)"
    package var description: String { "\(position): \(message)" }
}
