/// A place where a site is published. Files are identified by their paths in the site.
///
/// Files are replaced atomically: readers of the target get either the old file or the new one.
package protocol PublishTarget {
    /// The target's address, for messages.
    var shown: String { get }

    /// A string that is unique to the target, by which this machine finds its copy of the target's list.
    var identity: String { get }

    /// The list of published files as `writeList` wrote it.
    /// - Returns: nil if the target has no list.
    func readList() throws(PublishError) -> [UInt8]?

    /// Whether the target's list is known to be gone. A target that would need a request for that does not look.
    var isListMissing: Bool { get }

    /// Whether the target is the store of a shared build.
    func isStore() throws(PublishError) -> Bool

    func writeList(_ bytes: [UInt8]) throws(PublishError)

    /// The entries that the target has at the paths of files.
    func find(_ files: [OutgoingFile]) throws(PublishError) -> [String: Presence]

    /// Throws if a folder or a symbolic link is at the path of a file to be sent. A target that would need a request
    /// for that does not look.
    func checkDestinations(of files: [OutgoingFile]) throws(PublishError)

    /// Sends files of one phase, in any order.
    /// - Parameter sent: a closure that is called for each file once it is at the target.
    func send(_ files: [OutgoingFile], sent: (OutgoingFile) -> Void) throws(PublishError)

    /// Gives files at the target the permissions that they have in the site, and their folders those of new folders. A
    /// target that does not show permissions, or needs requests for them, leaves them alone.
    /// - Returns: the number of files and folders whose permissions were changed.
    func correctPermissions(of files: [OutgoingFile]) throws(PublishError) -> Int

    /// Removes files in the order of `RemovalOrder`. A file that does not exist is no error.
    func remove(_ paths: [String]) throws(PublishError)
}

extension PublishTarget {
    package var identity: String { shown }

    package var isListMissing: Bool { false }

    package func checkDestinations(of files: [OutgoingFile]) {}

    package func correctPermissions(of files: [OutgoingFile]) -> Int { 0 }
}
