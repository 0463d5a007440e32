/// Identifies the content of a local file without reading it.
package struct FileStamp: Hashable, Codable, Sendable {
    /// Bytes.
    package var size: Int64
    /// Last change of the content, nanoseconds since 1970.
    package var modifiedNanoseconds: Int64
    /// Last change of content or attributes, which no tool can set back, nanoseconds since 1970.
    package var changedNanoseconds: Int64
    package var inode: UInt64

    package init(size: Int64, modifiedNanoseconds: Int64, changedNanoseconds: Int64, inode: UInt64) {
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
        self.changedNanoseconds = changedNanoseconds
        self.inode = inode
    }
}
