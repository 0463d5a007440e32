/// A place in a manifest.
package struct TextPosition: Hashable, Sendable, CustomStringConvertible {
    /// The manifest as its user named it.
    package let file: String
    /// 1-based.
    package let line: Int
    /// 1-based, in Unicode scalars, as libxml2 counts them after decoding.
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// "photos.plist:14:9", the form that editors and terminals turn into a link.
    package var description: String { "\(file):\(line):\(column)" }
}
