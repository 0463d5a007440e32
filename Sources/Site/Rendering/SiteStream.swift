/// A file of the site that is too large for one piece of memory. Its content is produced in pieces while it is written.
package struct SiteStream: Sendable {
    package let path: String
    /// Produces the content, and calls its argument with each piece in order.
    let write: @Sendable (([UInt8]) throws(SiteError) -> Void) throws(SiteError) -> Void

    /// The whole file in memory.
    package var collected: SiteFile {
        var bytes: [UInt8] = []
        do {
            try write { bytes += $0 }
        } catch {
            preconditionFailure("only what takes the pieces can fail, and this does not")
        }
        return SiteFile(path: path, bytes: bytes)
    }
}
