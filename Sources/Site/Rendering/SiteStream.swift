/// A file of the site that is too large to be held: it is made piece by piece, as it is written.
package struct SiteStream: Sendable {
    package let path: String
    /// Calls its argument with one piece after the other.
    let make: @Sendable (([UInt8]) throws(SiteError) -> Void) throws(SiteError) -> Void

    /// All of it in memory.
    package var whole: SiteFile {
        var bytes: [UInt8] = []
        do {
            try make { bytes += $0 }
        } catch {
            preconditionFailure("only what takes the pieces can fail, and this does not")
        }
        return SiteFile(path: path, bytes: bytes)
    }
}
