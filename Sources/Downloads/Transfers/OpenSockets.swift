internal import Foundation
internal import Synchronization

/// The sockets that libcurl has open, so that another thread can tell which of them it reads from, and disconnect that
/// one.
final class OpenSockets: Sendable {
    private struct Socket {
        let descriptor: Int32
        /// The socket's identity, which tells it from a later one with the same number.
        let identity: UInt64
        /// The unread bytes at the last inspection; nil before the first.
        var unread: Int32?
        /// The number of inspections that found fewer unread bytes than the one before.
        var reads = 0
    }

    private let sockets = Mutex<[Socket]>([])

    /// - Returns: the descriptor, or -1 with `errno`, as of `socket(2)`.
    func open(family: Int32, type: Int32, number: Int32) -> Int32 {
        let descriptor = socket(family, type, number)
        guard descriptor >= 0 else { return descriptor }
        // Programs that this one starts must not inherit the socket. A failure to say so does no harm to the transfer.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if let identity = Self.identity(of: descriptor) {
            sockets.withLock { $0.append(Socket(descriptor: descriptor, identity: identity)) }
        }
        return descriptor
    }

    /// - Returns: as `close(2)`.
    func close(_ descriptor: Int32) -> Int32 {
        // The close is under the lock: otherwise the number could be another socket's when it is disconnected.
        sockets.withLock { sockets in
            sockets.removeAll { $0.descriptor == descriptor }
            return Foundation.close(descriptor)
        }
    }

    /// Forgets the earlier counts.
    func beginCounting() {
        sockets.withLock { sockets in
            for index in sockets.indices {
                sockets[index].unread = nil
                sockets[index].reads = 0
            }
        }
    }

    /// Samples how many bytes each socket has to be read. A read shows only as fewer bytes than in the sample before.
    ///
    /// - Returns: whether a socket was found to be read that often, and was disconnected.
    func disconnectOne(afterReads most: Int) -> Bool {
        sockets.withLock { sockets in
            for index in sockets.indices {
                var unread: Int32 = 0
                guard ioctl(sockets[index].descriptor, UInt(FIONREAD), &unread) == 0 else { continue }
                if let before = sockets[index].unread, unread < before { sockets[index].reads += 1 }
                sockets[index].unread = unread
                if sockets[index].reads >= most {
                    Self.disconnect(sockets[index])
                    return true
                }
            }
            return false
        }
    }

    func disconnectAll() {
        sockets.withLock { sockets in
            for socket in sockets { Self.disconnect(socket) }
        }
    }

    /// Takes the connection away from a socket, from which nothing can be read then. `shutdown(2)` would look like an
    /// end by the server, and an end can mean that all has arrived. The descriptor stays what it is: whatever may
    /// have been given its number since the look at its identity, a file has no connection to lose, and refuses.
    private static func disconnect(_ socket: Socket) {
        guard identity(of: socket.descriptor) == socket.identity else { return }
        #if canImport(Darwin)
            _ = disconnectx(socket.descriptor, sae_associd_t(SAE_ASSOCID_ANY), sae_connid_t(SAE_CONNID_ANY))
        #else
            // connect(2): an address of no family dissolves the association.
            var nowhere = sockaddr()
            nowhere.sa_family = sa_family_t(AF_UNSPEC)
            _ = connect(socket.descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
        #endif
    }

    private static func identity(of descriptor: Int32) -> UInt64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
    }
}
