internal import Foundation

/// Sockets on 127.0.0.1 for the servers of tests.
package enum LoopbackSocket {
    package struct SystemError: Error {
        let call: String
        let code: Int32
    }

    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
    #else
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #endif

    /// Listens on a port that the system picks.
    package static func listen(backlog: Int32) throws -> Int32 {
        let descriptor = try bound()
        guard Foundation.listen(descriptor, backlog) == 0 else { throw SystemError(call: "listen", code: errno) }
        return descriptor
    }

    /// Holds a port that the system picks, and does not listen on it.
    package static func bound() throws -> Int32 {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket", code: errno) }
        try withAddress(port: 0) { address, length in
            guard bind(descriptor, address, length) == 0 else { throw SystemError(call: "bind", code: errno) }
        }
        return descriptor
    }

    /// Connects, and returns at once even if the other side does not answer.
    package static func connect(port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket", code: errno) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        try withAddress(port: port) { address, length in
            guard Foundation.connect(descriptor, address, length) == 0 || errno == EINPROGRESS else {
                throw SystemError(call: "connect", code: errno)
            }
        }
        return descriptor
    }

    package static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func withAddress(
        port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        try withUnsafePointer(to: &address) { address in
            try address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
