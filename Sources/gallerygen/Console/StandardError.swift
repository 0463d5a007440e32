internal import Foundation

/// Standard error: the output for people.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes the whole text. A closed or full standard error is nobody's to tell.
    static func write(_ text: String) {
        FileDescriptor.write(Array(text.utf8), to: STDERR_FILENO)
    }
}

/// Standard output: only for what was asked for.
enum StandardOutput {
    static func write(_ bytes: [UInt8]) { FileDescriptor.write(bytes, to: STDOUT_FILENO) }

    static func write(_ text: String) { write(Array(text.utf8)) }
}

private enum FileDescriptor {
    static func write(_ bytes: [UInt8], to descriptor: Int32) {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let count = Foundation.write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                offset += count
            }
        }
    }
}
