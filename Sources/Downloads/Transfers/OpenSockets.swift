internal import Foundation
internal import Synchronization

/// The sockets that libcurl has open, so that another thread can find the one that libcurl reads from and disconnect
/// it.
final class OpenSockets: Sendable {
    private struct Socket {
        let descriptor: Int32
        /// The inode number of the socket, which tells it from a later socket with the same descriptor.
        let identity: UInt64
        /// The number of unread bytes in the last sample; nil before the first.
        var unread: Int32?
        /// The number of samples with fewer unread bytes than the sample before.
        var reads = 0
    }

    private let sockets = Mutex<[Socket]>([])

    /// - Returns: the descriptor, or -1 with `errno` set, as `socket(2)` does.
    func open(family: Int32, type: Int32, number: Int32) -> Int32 {
        let descriptor = socket(family, type, number)
        guard descriptor >= 0 else { return descriptor }
        if let identity = Self.identity(of: descriptor) {
            sockets.withLock { $0.append(Socket(descriptor: descriptor, identity: identity)) }
        }
        return descriptor
    }

    /// - Returns: the result of `close(2)`.
    func close(_ descriptor: Int32) -> Int32 {
        // The socket is closed under the lock. Otherwise `disconnect` could hit another socket with the same
        // descriptor.
        sockets.withLock { sockets in
            sockets.removeAll { $0.descriptor == descriptor }
            return Foundation.close(descriptor)
        }
    }

    /// Forgets the earlier samples.
    func beginCounting() {
        sockets.withLock { sockets in
            for index in sockets.indices {
                sockets[index].unread = nil
                sockets[index].reads = 0
            }
        }
    }

    /// Samples the number of unread bytes of each socket, and disconnects a socket that has been read from at least
    /// `limit` times. A read shows only as fewer bytes than in the sample before.
    ///
    /// - Returns: whether a socket was disconnected.
    func disconnectOne(afterReads limit: Int) -> Bool {
        sockets.withLock { sockets in
            for index in sockets.indices {
                var unread: Int32 = 0
                guard ioctl(sockets[index].descriptor, UInt(FIONREAD), &unread) == 0 else { continue }
                if let before = sockets[index].unread, unread < before { sockets[index].reads += 1 }
                sockets[index].unread = unread
                if sockets[index].reads >= limit {
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

    /// Dissolves the connection of a socket, so that nothing can be read from it any more. After `shutdown(2)` it would
    /// look as if the server had closed the connection, which can mean that the body is complete. The descriptor stays
    /// open. If its number has been given to another file since its identity was checked, the call fails, because a
    /// file has no connection.
    private static func disconnect(_ socket: Socket) {
        guard identity(of: socket.descriptor) == socket.identity else { return }
        #if canImport(Darwin)
            _ = disconnectx(socket.descriptor, sae_associd_t(SAE_ASSOCID_ANY), sae_connid_t(SAE_CONNID_ANY))
        #else
            // connect(2): an address of the family AF_UNSPEC dissolves the association.
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
