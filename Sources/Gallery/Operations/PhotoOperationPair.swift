internal import Foundation
internal import PhotoModel
internal import Synchronization

/// The operations of one photo: a download, and a filter that depends on it. If the filter finds that the original is
/// lost, or is no usable picture and has a mirror, another pair replaces the first.
package final class PhotoOperationPair: Sendable {
    package let record: PhotoRecord
    /// The photo's position among all photos that were added, which is nearly always its order in the list.
    let position: Int
    let whenDone: @Sendable () -> Void
    private let services: BuildServices
    private let state: Mutex<State>

    private struct State {
        var download: DownloadOperation
        var filter: FilterOperation
        /// Whether the original was lost, so that it is downloaded again as a whole.
        var isRefetch = false
        var isCancelled = false
    }

    init(_ record: PhotoRecord, position: Int, services: BuildServices, whenDone: @escaping @Sendable () -> Void) {
        self.record = record
        self.position = position
        self.services = services
        self.whenDone = whenDone
        let (download, filter) = Self.pair(record, services, isRefetch: false, from: 0, after: nil)
        state = Mutex(State(download: download, filter: filter))
    }

    package var download: DownloadOperation { state.withLock { $0.download } }
    package var filter: FilterOperation { state.withLock { $0.filter } }

    /// Makes another pair, which downloads the original again, or from the photo's next address.
    func restart(_ repetition: FilterOperation.Repetition) {
        state.withLock { state in
            switch repetition {
            case .lostOriginal:
                state.isRefetch = true
                (state.download, state.filter) = Self.pair(record, services, isRefetch: true, from: 0, after: nil)
            case .nextAddress(let index, let failure):
                (state.download, state.filter) = Self.pair(
                    record, services, isRefetch: state.isRefetch, from: index, after: failure)
            }
            if state.isCancelled { state.download.cancel() }
        }
    }

    /// Cancels the operations. Their results so far are kept.
    package func cancel() {
        let (download, filter) = state.withLock { state in
            state.isCancelled = true
            return (state.download, state.filter)
        }
        download.cancel()
        filter.cancel()
    }

    private static func pair(
        _ record: PhotoRecord, _ services: BuildServices, isRefetch: Bool, from address: Int, after failure: Failure?
    ) -> (DownloadOperation, FilterOperation) {
        let download = DownloadOperation(
            record: record, services: services, isRefetch: isRefetch, from: address, after: failure)
        let filter = FilterOperation(record: record, services: services, isRefetch: isRefetch)
        filter.addDependency(download)
        return (download, filter)
    }
}
