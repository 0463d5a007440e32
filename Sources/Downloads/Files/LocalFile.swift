internal import Foundation
internal import PhotoModel

/// A local file that is opened to be read once. Owns the descriptor.
///
/// The type of the file is checked on the descriptor, because a path can lead to another file at any moment.
struct LocalFile: ~Copyable {
    private let descriptor: Int32
    private let source: Source

    private init(descriptor: Int32, source: Source) {
        self.descriptor = descriptor
        self.source = source
    }

    /// The result of opening a file.
    enum Opening: ~Copyable {
        case opened(LocalFile)
        /// The process or the system has no descriptor left (`EMFILE`, `ENFILE`). The file is not at fault.
        case tooManyOpenFiles(errno: Int32)
    }

    /// Opens a file, if it is a regular one. Reading a FIFO could block, and a device may have no end.
    static func open(path: String, source: Source) throws(Failure) -> Opening {
        // The type is checked before the open as well, because opening some devices starts them.
        try requireRegular(try status(path: path, source: source), source)
        let descriptor = Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            let code = errno
            if [EMFILE, ENFILE].contains(code) { return .tooManyOpenFiles(errno: code) }
            throw failure(code, source)
        }
        let file = LocalFile(descriptor: descriptor, source: source)
        try requireRegular(try file.status, source)
        return .opened(file)
    }

    /// The first bytes, at most `count`. The offset of the next read does not change.
    func firstBytes(_ count: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let received = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(filled))
            }
            let code = errno
            if received < 0, code == EINTR { continue }
            guard received >= 0 else { throw Self.failure(code, source) }
            if received == 0 { break }
            filled += received
        }
        return Array(bytes.prefix(filled))
    }

    /// Throws the failure that reading would certainly end with, as far as it can be known without opening the file.
    static func check(path: String, source: Source, maxBytes: Int64) throws(Failure) {
        let status = try status(path: path, source: source)
        try requireRegular(status, source)
        guard status.st_size > 0 else { throw .notAnImage(.empty) }
        guard status.st_size <= maxBytes else { throw .tooLarge(limit: maxBytes) }
        guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else { throw failure(errno, source) }
    }

    /// Reads the next bytes into `buffer`.
    ///
    /// - Returns: the number of bytes read; 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw Self.failure(errno, source) }
        }
    }

    /// The current stamp. If it differs before and after reading, somebody wrote to the file in between.
    var stamp: FileStamp {
        get throws(Failure) { FileStamp(try status) }
    }

    /// The stamp of the file at `path`, without opening it. Symbolic links are followed.
    static func stamp(path: String, source: Source) throws(Failure) -> FileStamp {
        FileStamp(try status(path: path, source: source))
    }

    deinit { close(descriptor) }

    private var status: stat {
        get throws(Failure) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw Self.failure(errno, source) }
            return status
        }
    }

    private static func status(path: String, source: Source) throws(Failure) -> stat {
        guard !path.utf8.contains(0) else { throw .badAddress(.nullCharacter) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(errno, source) }
        return status
    }

    private static func requireRegular(_ status: stat, _ source: Source) throws(Failure) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw .unreadableFile(source.shown, .folder)
        default: throw .unreadableFile(source.shown, .notRegular)
        }
    }

    private static func failure(_ code: Int32, _ source: Source) -> Failure {
        switch code {
        case ENOENT, ENOTDIR: .missingFile(source.shown)
        case EACCES, EPERM: .unreadableFile(source.shown, .permission)
        case ELOOP: .unreadableFile(source.shown, .linkLoop)
        case ENXIO, ENODEV: .unreadableFile(source.shown, .notRegular)
        default: .fileError(source.shown, errno: code)
        }
    }
}
