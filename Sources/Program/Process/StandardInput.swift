internal import Foundation
internal import Manifest
internal import PhotoModel
internal import Synchronization

/// Standard input. It can be read only once, so its bytes are stored.
enum StandardInput {
    private static let known = Mutex<[UInt8]?>(nil)

    /// Returns all of standard input, or one byte more than a manifest may have, so that the reader notices the excess.
    /// Every call returns the same bytes.
    /// - Throws: `SettingsError` if standard input is closed, a folder, or a terminal that hung up.
    static func read() throws(SettingsError) -> [UInt8] {
        if let known = known.withLock({ $0 }) { return known }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= ManifestReader.maximumSize {
            let most = min(buffer.count, ManifestReader.maximumSize + 1 - bytes.count)
            let count = Foundation.read(STDIN_FILENO, &buffer, most)
            if count > 0 {
                bytes += buffer[..<count]
            } else if count == 0 {
                break
            } else if errno == EAGAIN {
                // Another process that shares standard input has set it to non-blocking.
                var awaited = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                poll(&awaited, 1, -1)
            } else if errno != EINTR {
                throw SettingsError(
                    origin: .standardInput,
                    message: "standard input: it can't be read: \(systemMessage(errno))")
            }
        }
        known.withLock { $0 = bytes }
        return bytes
    }
}
