internal import Foundation
internal import PhotoModel

/// A derivative that is being written: a file with a temporary name, until it is committed. A file that is not
/// committed is removed.
final class DerivativeFile {
    let path: String
    /// The descriptor of the file; -1 once it is closed.
    private(set) var descriptor: Int32
    private let temporaryPath: String
    private var isCommitted = false

    /// Creates the temporary file, ".<name>.<random>.tmp". It is opened exclusively, so no other run can have created
    /// it.
    init(named name: String, in directory: String) throws(ImagingError) {
        path = directory + "/" + name
        var candidate = ""
        var opened: Int32 = -1
        repeat {
            candidate = "\(directory)/.\(name).\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
            opened = open(candidate, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        } while opened < 0 && (errno == EEXIST || errno == EINTR)
        temporaryPath = candidate
        descriptor = opened
        guard opened >= 0 else {
            isCommitted = true
            throw .write(path: path, errno: errno)
        }
        GroupAccess(ofFolderAt: directory)?.apply(to: opened)
    }

    /// Gives the finished file its name, replacing any file that has it.
    /// - Throws: `ImagingError.write`, including for errors that the file system reports only when a file is closed.
    func commit() throws(ImagingError) {
        let closed = close(descriptor)
        descriptor = -1
        // On Linux, the descriptor is closed even after EINTR.
        guard closed == 0 || errno == EINTR else { throw .write(path: path, errno: errno) }
        guard rename(temporaryPath, path) == 0 else { throw .write(path: path, errno: errno) }
        isCommitted = true
    }

    /// Removes the file, whether committed or not.
    func remove() {
        unlink(isCommitted ? path : temporaryPath)
        isCommitted = true
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isCommitted { unlink(temporaryPath) }
    }
}
