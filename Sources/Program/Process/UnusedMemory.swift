internal import Synchronization

/// Decides whether memory that is unused is returned to the system at once. This takes time, because the next values
/// need other memory, so a build does it only if it needs much memory.
enum UnusedMemory {
    private static let allocator = Mutex<@Sendable (Bool) -> Void>({ _ in })

    /// - Parameter setReturned: makes the allocator of the process return memory, or keep it.
    static func use(_ setReturned: @escaping @Sendable (Bool) -> Void) { allocator.withLock { $0 = setReturned } }

    static func setReturned(_ isReturned: Bool) { allocator.withLock { $0 }(isReturned) }
}
