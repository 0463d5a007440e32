internal import Foundation
internal import PhotoModel

/// The connection to the service manager that has started this process: sd_notify(3), without its library.
package final class ServiceNotifier: Sendable {
    package enum Problem: Error {
        /// The address in $NOTIFY_SOCKET is not a path or an abstract name, or is too long.
        case address
        case system(errno: Int32)

        /// The problem as part of a warning.
        package var message: String {
            switch self {
            case .address: "its address is not that of a socket"
            case .system(let code): systemMessage(code)
            }
        }
    }

    private let descriptor: Int32
    /// The address of the socket, with the number of bytes that count.
    private let address: sockaddr_un
    private let length: socklen_t

    /// - Parameter name: the value of $NOTIFY_SOCKET: an absolute path, or "@" and the name of an abstract socket.
    package init(_ name: String) throws(Problem) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        guard bytes.count > 1, isAbstract || bytes.first == UInt8(ascii: "/"),
            bytes.count < MemoryLayout.size(ofValue: address.sun_path)
        else { throw .address }
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
        // An abstract name is as long as the address says. A path ends with a zero byte.
        length = socklen_t(offset + bytes.count + (isAbstract ? 0 : 1))
        self.address = address
        descriptor = socket(AF_UNIX, Self.datagram, 0)
        guard descriptor >= 0 else { throw .system(errno: errno) }
    }

    #if canImport(Glibc)
        private static let datagram = Int32(SOCK_DGRAM.rawValue)
    #else
        private static let datagram = SOCK_DGRAM
    #endif

    deinit { close(descriptor) }

    /// Sends assignments such as "READY=1". Never waits: if the service manager does not read, the message is lost.
    package func send(_ assignments: [String]) throws(Problem) {
        let message = Array(assignments.map { $0.replacing("\n", with: " ") }.joined(separator: "\n").utf8)
        var address = address
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Int32(MSG_DONTWAIT), $0, length)
            }
        }
        guard sent == message.count else { throw .system(errno: errno) }
    }
}

/// The interval of the service manager's watchdog.
package struct WatchdogInterval {
    /// The time after which a silent process counts as hanging.
    package let limit: Duration

    /// - Parameter process: the id of this process.
    /// - Returns: nil if there is no watchdog, or it is meant for another process.
    package init?(_ environment: [String: String], process: Int32) {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init), microseconds > 0 else { return nil }
        if let meant = environment["WATCHDOG_PID"], meant != String(process) { return nil }
        limit = .microseconds(microseconds)
    }
}
