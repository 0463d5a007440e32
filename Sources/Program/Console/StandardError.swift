internal import Foundation
internal import PhotoModel

/// Standard error: the output for people.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The width of the terminal in columns; nil if standard error is not a terminal or its width is unknown.
    static var columns: Int? { Terminal.columns(of: STDERR_FILENO) }

    /// Writes the whole text. Errors are ignored, because there is nowhere else to report them.
    static func write(_ text: String) {
        _ = FileDescriptor.write(Array(text.utf8), to: STDERR_FILENO)
    }
}

/// Standard output: only for the output that was requested, such as that of `--json`.
enum StandardOutput {
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The width of the terminal in columns; nil if standard output is not a terminal or its width is unknown.
    static var columns: Int? { Terminal.columns(of: STDOUT_FILENO) }

    /// Writes all bytes.
    /// - Throws: `CommandFailure` if the bytes can't be written, for example to a full disk. A reader that closes the
    ///   pipe early (`| head`) is not a failure.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        let code = FileDescriptor.write(bytes, to: STDOUT_FILENO)
        if code != 0 && code != EPIPE {
            throw CommandFailure(.inputOutput, "standard output: \(systemMessage(code))")
        }
    }

    static func write(_ text: String) throws(CommandFailure) { try write(Array(text.utf8)) }
}

private enum Terminal {
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}

private enum FileDescriptor {
    /// - Returns: 0, or the errno of the write(2) that failed.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {
                // Another process that shares the pipe or terminal has set it to non-blocking.
                var awaited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&awaited, 1, -1)
                continue
            }
            guard count > 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}
