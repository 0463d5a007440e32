internal import Synchronization

/// Decides whether memory that is unused is returned to the system at once. This takes time, because values that are
/// made later take new pages from the system. So a build begins with it only if it needs much memory.
enum UnusedMemory {
    private static let allocator = Mutex<@Sendable (Bool) -> Void>({ _ in })

    /// - Parameter setReturnsMemory: makes the allocator of the process return memory, or keep it.
    static func use(_ setReturnsMemory: @escaping @Sendable (Bool) -> Void) {
        allocator.withLock { $0 = setReturnsMemory }
    }

    /// Has unused memory returned at once from now on, and now what is unused already.
    static func startReturning() { allocator.withLock { $0 }(true) }

    /// Has most unused memory kept for values that are made later.
    static func stopReturning() { allocator.withLock { $0 }(false) }
}
