/// Identifies the content of a local file without reading it.
package struct FileStamp: Hashable, Codable, Sendable {
    /// The size in bytes.
    package var size: Int64
    /// The time of the last change of the content (mtime), in nanoseconds since 1970.
    package var modifiedNanoseconds: Int64
    /// The time of the last change of content or attributes (ctime), in nanoseconds since 1970. No tool can set it
    /// back.
    package var changedNanoseconds: Int64
    package var inode: UInt64

    package init(size: Int64, modifiedNanoseconds: Int64, changedNanoseconds: Int64, inode: UInt64) {
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
        self.changedNanoseconds = changedNanoseconds
        self.inode = inode
    }
}
