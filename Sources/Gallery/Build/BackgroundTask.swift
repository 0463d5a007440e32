internal import Dispatch
internal import Synchronization

/// Runs work on a global dispatch queue while the caller goes on. The caller waits for the result when it needs it.
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

    /// Waits until the work is done, for callers that no longer need the result.
    func wait() { isDone.wait() }

    /// Waits until the work is done, and hands its result over. A second call finds no result.
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
