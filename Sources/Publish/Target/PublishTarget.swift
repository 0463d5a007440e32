/// A place where a site is published. Its files are known by their paths in the site.
///
/// Each file appears whole: whoever reads the target gets the old one or the new one.
package protocol PublishTarget {
    /// For messages.
    var shown: String { get }

    /// The list of published files, as `writeList` wrote it.
    /// - Returns: nil if there is none.
    func readList() throws(PublishError) -> [UInt8]?

    func writeList(_ bytes: [UInt8]) throws(PublishError)

    /// What the target has at the paths of these files.
    func find(_ files: [OutgoingFile]) throws(PublishError) -> [String: Presence]

    /// Puts files of one phase there, in any order.
    /// - Parameter sent: called for each file when it is there.
    func send(_ files: [OutgoingFile], sent: (OutgoingFile) -> Void) throws(PublishError)

    /// Removes files, in this order. It is no error if one has gone.
    func remove(_ paths: [String]) throws(PublishError)
}
