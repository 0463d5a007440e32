internal import Foundation

/// A queue whose operations begin one after the other, in the order in which they were added. With several threads, an
/// operation could overtake the one before it.
///
/// `@unchecked Sendable`: `OperationQueue` is documented as thread-safe, and the property that this class adds is
/// constant.
final class OrderedOperationQueue: OperationQueue, @unchecked Sendable {
    /// Retained here, because `underlyingQueue` is an unowned reference.
    private let dispatchQueue: DispatchQueue

    init(label: String) {
        dispatchQueue = DispatchQueue(label: label)
        super.init()
        name = label
        underlyingQueue = dispatchQueue
    }
}
