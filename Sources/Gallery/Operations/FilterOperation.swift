internal import Downloads
package import Foundation
internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Synchronization

/// Renders the derivatives of a photo from its stored original. If there is no original, the operation is cancelled
/// before it starts.
///
/// `@unchecked Sendable`: the properties added to `Operation` are constant or behind a lock.
package final class FilterOperation: Operation, @unchecked Sendable {
    package let record: PhotoRecord
    private let services: BuildServices
    private let isRefetch: Bool
    private let started = Mutex(false)
    private let foundRepetition = Mutex<Repetition?>(nil)
    /// The header that `estimateCost` read, with its original.
    private let estimated = Mutex<(original: Digest, header: PictureHeader)?>(nil)
    private let holdsMuchMemory = Mutex(false)

    /// Why a photo's download and filter run again.
    enum Repetition {
        /// The original is damaged or missing in the store.
        case lostOriginal
        /// An address delivered no usable picture, and the photo has another address, with this index.
        case nextAddress(Int, after: Failure)
    }

    /// - Parameter isRefetch: whether the original was lost and downloaded again. This is tried only once.
    init(record: PhotoRecord, services: BuildServices, isRefetch: Bool) {
        self.record = record
        self.services = services
        self.isRefetch = isRefetch
        super.init()
        name = "filter \(record.slug)"
    }

    /// Whether rendering has begun.
    package var hasStarted: Bool { started.withLock { $0 } }

    /// Why the photo's download and filter must run again; nil if the photo is done.
    var repetition: Repetition? { isCancelled ? nil : foundRepetition.withLock { $0 } }

    /// Reads the header of the original. The operation uses the header again when it runs.
    /// - Returns: the expected time in the units of `FilterScheduler`; 0 if unknown.
    func estimateCost() -> Double {
        guard let original = record.progress.original,
            let estimate = services.renderer.estimateCost(original, options: record.options)
        else { return 0 }
        if let header = estimate.header { estimated.withLock { $0 = (original, header) } }
        holdsMuchMemory.withLock { $0 = estimate.memory >= Self.largeMemory }
        return estimate.duration
    }

    /// Whether the photo holds much memory while it is filtered, as far as `estimateCost` knows.
    var isLarge: Bool { holdsMuchMemory.withLock { $0 } }

    /// The memory in bytes from which on a photo is large. Of the benchmark's corpus, one picture of ten is.
    private static let largeMemory = 32 << 20

    package override func main() {
        guard !isCancelled, let original = record.progress.original else { return }
        started.withLock { $0 = true }
        let start = SuspendingClock.now
        defer { record.update { $0.workTime += start.duration(to: .now) } }
        do {
            try renderOrFallBack(original)
            if repetition != nil { return }
            try withholdIfFarSmaller(original)
            try renderVersions()
            services.remember(record)
        } catch .read(_, ENOENT) where !isRefetch && isLost {
            foundRepetition.withLock { $0 = .lostOriginal }
        } catch {
            fail(error)
        }
    }

    private var isLost: Bool { record.progress.original.map { !services.store.contains($0) } ?? false }

    private func fail(_ error: ImagingError) {
        switch error {
        case .picture(let failure):
            record.fail(failure)
            services.remember(record)
        case .cancelled: break
        case .read(let path, let code), .write(let path, let code):
            services.stop(.storage(path: path, .system(errno: code)))
        }
    }

    private func renderOrFallBack(_ original: Digest) throws(ImagingError) {
        do {
            try render(original)
        } catch .picture(let failure) {
            if let next = record.nextAddress {
                let first = record.progress.earlierFailure ?? failure
                foundRepetition.withLock { $0 = .nextAddress(next, after: first) }
                return record.discardOriginal()
            }
            try fallBack(from: original, because: record.progress.earlierFailure ?? failure)
        }
    }

    /// Keeps the last good picture, marked stale, because the downloaded file is not a usable picture.
    private func fallBack(from original: Digest, because failure: Failure) throws(ImagingError) {
        // The original is the one that the address delivered before, and it was never shown. Its defects are not the
        // reason for this failure.
        if record.remembered?.sha256 == nil, let staleness = record.progress.staleness { throw .picture(staleness) }
        // The photo has failed because its source is gone, whatever the archive has of it.
        if let gone = services.giveUpCopy(of: record) { throw .picture(gone) }
        let lastGood: StaleFallback?
        do { lastGood = try services.lastGood(of: record) } catch { return services.stop(error) }
        switch lastGood {
        case .original(original, _), nil: throw .picture(failure)
        case let lastGood?:
            if let earlier = record.fallBack(on: lastGood, because: failure) { try render(earlier) }
        }
    }

    /// A new picture is suspicious if this many times its pixels are fewer than those of the earlier one.
    private static let farSmaller = 4

    /// Keeps the earlier picture if the new one has far fewer pixels.
    private func withholdIfFarSmaller(_ original: Digest) throws(ImagingError) {
        let progress = record.progress
        guard progress.original == original, progress.staleness == nil, progress.mark == nil,
            let earlier = record.guardedOriginal(against: original), earlier != original,
            let row = record.remembered,
            let new = progress.metadata, let old = earlierSize(row)
        else { return }
        guard new.width * new.height * Self.farSmaller < old.width * old.height else { return }
        let mark = PhotoMark.suspicious(
            since: row.marks[.suspicious]?.since ?? Timestamp(seconds: services.now), original,
            size: (new.width, new.height), earlier: old)
        let lastGood: StaleFallback?
        do { lastGood = try services.lastShown(of: record) } catch { return services.stop(error) }
        guard let lastGood else { return }
        if let shown = record.withhold(mark, showing: lastGood) { try render(shown) }
    }

    /// What has become of an earlier picture that is to be shown again.
    enum EarlierPicture {
        case isShown
        case originalIsGone
        case originalIsUnusable
        case buildEnds
    }

    /// Shows the earlier picture in place of a new one that has turned out to be suspicious after the photo was done.
    func withhold(_ new: Digest, showing lastGood: StaleFallback) -> EarlierPicture {
        do {
            // The photo changes only if there is a picture.
            let rendered = try lastGood.original.map { original throws(ImagingError) in
                try services.renderer.render(original, header: nil, options: record.options) { [self] in isCancelled }
            }
            let since = record.remembered?.marks[.suspicious]?.since ?? Timestamp(seconds: services.now)
            _ = record.withhold(.suspicious(since: since, sameAsOthers: new), showing: lastGood)
            // The source has answered.
            record.update { $0.wasRequested = true }
            if let rendered { show(rendered) }
            try renderVersions()
            services.remember(record)
            return .isShown
        } catch .picture {
            return .originalIsUnusable
        } catch .read(_, ENOENT) where lastGood.original.map({ !services.store.contains($0) }) ?? false {
            return .originalIsGone
        } catch {
            fail(error)
            return .buildEnds
        }
    }

    /// The size of the picture that the last build showed. If the ledger was lost, it is that of its widest derivative.
    private func earlierSize(_ row: PhotoRow) -> (width: Int, height: Int)? {
        if let known = row.sha256.flatMap({ services.renderer.recordedSize(of: $0) }) { return known }
        let pictures = row.pictures.filter { $0.version == nil }
        return pictures.max { $0.width < $1.width }.map { ($0.width, $0.height) }
    }

    /// Renders the kept earlier originals, if the photo's page shows them. An earlier original that is lost or can't be
    /// decoded any more is not kept, and one that exceeds a limit is not shown: a page does without them.
    private func renderVersions() throws(ImagingError) {
        guard record.showsVersions, record.progress.original != nil else { return }
        // Pictures whose original is lost are there already.
        var done = Set(record.progress.pictures.compactMap(\.version))
        // An original that can't be kept makes room for another one.
        while let version = record.versions.map(\.original).first(where: { !done.contains($0) }) {
            done.insert(version)
            do {
                let pictures = try services.renderer.renderVersion(version, options: record.options.widestAlone) {
                    [self] in isCancelled
                }
                record.update { $0.pictures += pictures }
            } catch .picture(.tooManyPixels), .picture(.tooMuchMemory) {
                continue
            } catch .picture {
                record.update { $0.unusableVersions.append(version) }
            } catch .read(_, ENOENT) where !services.store.contains(version) {
                record.update { $0.unusableVersions.append(version) }
            }
        }
    }

    private func render(_ original: Digest) throws(ImagingError) {
        let known = estimated.withLock { $0.take() }
        let header = known?.original == original ? known?.header : nil
        show(
            try services.renderer.render(original, header: header, options: record.options) { [self] in isCancelled })
    }

    private func show(_ rendered: DerivativeRenderer.Result) {
        record.update {
            $0.metadata = rendered.metadata
            $0.pictures = rendered.pictures
            $0.profileProblem = rendered.profileProblem
            $0.state = record.options.filter.isEmpty ? .downloaded : .filtered
        }
    }
}
