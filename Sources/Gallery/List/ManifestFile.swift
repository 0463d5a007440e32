internal import Foundation
internal import Manifest

/// Reads the bytes of a manifest from a file or a pipe. It stops at the size limit of a manifest, and when it is
/// cancelled.
struct ManifestFile: ~Copyable {
    private let descriptor: Int32
    private static let pieceSize = 1 << 20
    /// The interval at which `isCancelled` is called while no bytes arrive, in milliseconds.
    private static let pollInterval: Int32 = 100

    /// - Throws: `POSIXError` if the file can't be opened.
    init(path: String) throws(POSIXError) {
        // Without O_NONBLOCK, open(2) on a pipe would wait for a writer.
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw Self.error(errno) }
    }

    deinit { close(descriptor) }

    /// Reads all bytes up to the end of the file, or one byte more than a manifest may have, so that the reader notices
    /// the excess.
    /// - Returns: nil if the reading was cancelled.
    func read(isCancelled: () -> Bool) throws(POSIXError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.error(errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw POSIXError(.EISDIR) }
        bytes.reserveCapacity(min(Int(clamping: status.st_size), ManifestReader.maximumSize) + 1)
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { piece.deallocate() }
        while bytes.count <= ManifestReader.maximumSize {
            if isCancelled() { return nil }
            guard try isReady() else { continue }
            let most = min(piece.count, ManifestReader.maximumSize + 1 - bytes.count)
            let count = Foundation.read(descriptor, piece.baseAddress, most)
            if count < 0 {
                guard errno == EINTR || errno == EAGAIN else { throw Self.error(errno) }
                continue
            }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }

    /// Whether bytes or the end of the file can be read. A pipe that no process has opened for writing yet has neither.
    private func isReady() throws(POSIXError) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&request, 1, Self.pollInterval)
        guard count >= 0 || errno == EINTR else { throw Self.error(errno) }
        return count > 0
    }

    private static func error(_ code: Int32) -> POSIXError { POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
}
