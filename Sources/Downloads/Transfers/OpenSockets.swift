internal import Foundation
internal import Synchronization

/// The sockets that libcurl has open, so that another thread can tell which of them it reads from, and break that one off.
final class OpenSockets: Sendable {
    private struct Socket {
        /// Tells it from whatever may have its number later.
        let identity: UInt64
        /// Bytes that were there to be read when it was last looked at; nil if it was not.
        var unread: Int32?
        /// How often there were fewer than the time before.
        var reads = 0
    }

    private let sockets = Mutex<[Int32: Socket]>([:])

    /// - Returns: the descriptor, or -1 with `errno`, as of `socket(2)`.
    func open(family: Int32, type: Int32, number: Int32) -> Int32 {
        let descriptor = socket(family, type, number)
        guard descriptor >= 0 else { return descriptor }
        // Not for the programs that this one may start. Should it fail, the socket is no worse a socket.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if let identity = Self.identity(of: descriptor) {
            sockets.withLock { $0[descriptor] = Socket(identity: identity) }
        }
        return descriptor
    }

    /// - Returns: as `close(2)`.
    func close(_ descriptor: Int32) -> Int32 {
        // Under the lock, or the number could be another's when it is broken off.
        sockets.withLock { sockets in
            sockets[descriptor] = nil
            return Foundation.close(descriptor)
        }
    }

    /// What was counted before is forgotten.
    func beginCounting() {
        sockets.withLock { sockets in
            for descriptor in sockets.keys {
                sockets[descriptor]?.unread = nil
                sockets[descriptor]?.reads = 0
            }
        }
    }

    /// Looks at how much each has to be read. To be called again and again, as a read shows only by there being less.
    ///
    /// - Returns: true if one was found to be read for the given time, which was broken off.
    func breakOffOne(readTimes most: Int) -> Bool {
        sockets.withLock { sockets in
            for (descriptor, socket) in sockets {
                var (count, unread) = (socket.reads, Int32(0))
                guard ioctl(descriptor, UInt(FIONREAD), &unread) == 0 else { continue }
                if let before = socket.unread, unread < before { count += 1 }
                sockets[descriptor]?.unread = unread
                sockets[descriptor]?.reads = count
                if count >= most {
                    Self.breakOff(descriptor, socket)
                    return true
                }
            }
            return false
        }
    }

    func breakOffAll() {
        sockets.withLock { sockets in
            for (descriptor, socket) in sockets { Self.breakOff(descriptor, socket) }
        }
    }

    /// Puts a socket that is not connected in its place, from which nothing can be read. `shutdown(2)` would look like an
    /// end by the server, and an end can mean that all has arrived.
    private static func breakOff(_ descriptor: Int32, _ socket: Socket) {
        guard identity(of: descriptor) == socket.identity else { return }
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let dead = Foundation.socket(AF_INET, stream, 0)
        guard dead >= 0 else { return }
        _ = dup2(dead, descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = Foundation.close(dead)
    }

    private static func identity(of descriptor: Int32) -> UInt64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
    }
}
