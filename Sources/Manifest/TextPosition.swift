/// A position in a manifest.
package struct TextPosition: Hashable, Sendable, CustomStringConvertible {
    /// The name of the manifest as the user gave it.
    package let file: String
    /// The line, counted from 1.
    package let line: Int
    /// The column, counted from 1 in Unicode scalars, as libxml2 counts them after decoding.
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The form that editors and terminals turn into a link: "photos.plist:14:9".
    package var description: String { "\(file):\(line):\(column)" }
}
