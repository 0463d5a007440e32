internal import Synchronization

/// Values that a test collects from several threads.
package final class Collected<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    package init() {}

    package func add(_ value: Value) { values.withLock { $0.append(value) } }

    package var all: [Value] { values.withLock { $0 } }
}
