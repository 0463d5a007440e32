internal import Dispatch
internal import Synchronization

/// Work that is done beside other work, on a thread of its own, and whose result is waited for when it is needed.
final class BackgroundTask<Value: Sendable>: Sendable {
    private let outcome = Mutex<Result<Value, GalleryError>?>(nil)
    private let isDone = DispatchGroup()

    init(_ work: @escaping @Sendable () throws(GalleryError) -> Value) {
        DispatchQueue.global(qos: .userInitiated).async(group: isDone) { [self] in
            let result: Result<Value, GalleryError>
            do throws(GalleryError) {
                result = .success(try work())
            } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
        }
    }

    /// Waits until it is done, for one who has no use for the result any more.
    func wait() { isDone.wait() }

    /// Waits until it is done, and gives the result away: for one who asks once.
    func value() throws(GalleryError) -> Value {
        isDone.wait()
        let outcome = outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
        guard let outcome else { throw .bug("work that ended without a result") }
        return try outcome.get()
    }
}
