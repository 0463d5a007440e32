internal import Synchronization

/// Values that live as long as their build, to which they must not refer. Their release takes time in a large gallery,
/// which a process that ends after the build saves by keeping the build.
final class UnreleasedValues: Sendable {
    private let values = Mutex<[any Sendable]>([])

    func keep(_ kept: (any Sendable)...) { values.withLock { $0 += kept } }
}
