internal import Downloads
internal import Foundation
internal import Imaging
internal import Ledger
internal import PhotoModel
internal import Synchronization

/// Renders the derivatives of originals, each once. All photos that are rendered at the same time share a memory
/// budget.
final class DerivativeRenderer: Sendable {
    private let store: OriginalStore
    private let downloader: Downloader
    private let derivatives: DerivativeCache
    /// The recorded metadata of each original, by its digest.
    private let originals: [Digest: OriginalRow]
    /// The memory budget of all photos that are filtered at the same time.
    private let budget: MemoryBudget
    /// Whether all derivatives are rendered again, even if they exist.
    private let isForced: Bool
    private let progress = Mutex(Progress())
    private let locks = KeyedLock<Rendering>()

    private struct Progress {
        /// The metadata that was read in this build.
        var metadata: [Digest: CompactMetadata] = [:]
        /// The originals whose metadata was read in this build and is not recorded yet.
        var unrecorded: Set<Digest> = []
        var rendered: Set<Rendering> = []
        var renderedCount = 0
    }

    /// One run of the derivative maker. Equal values make the same files.
    private struct Rendering: Hashable {
        let original: Digest
        let options: DerivativeOptions
    }

    init(
        store: OriginalStore, downloader: Downloader, derivatives: DerivativeCache, originals: [Digest: OriginalRow],
        budget: MemoryBudget, isForced: Bool
    ) {
        self.store = store
        self.downloader = downloader
        self.derivatives = derivatives
        self.originals = originals
        self.budget = budget
        self.isForced = isForced
    }

    /// The number of photos whose derivatives were rendered.
    var rendered: Int { progress.withLock { $0.renderedCount } }

    /// Whether a derivative exists and is complete.
    func contains(_ name: String) -> Bool { derivatives.bytes(of: name) != nil }

    /// Whether metadata of an original was read and not recorded. From this call on, it counts as recorded.
    func takeUnrecorded(of original: Digest) -> Bool { progress.withLock { $0.unrecorded.remove(original) != nil } }

    /// The size of an upright original in pixels, as an earlier build recorded it.
    func recordedSize(of original: Digest) -> (width: Int, height: Int)? {
        originals[original].map { ($0.width, $0.height) }
    }

    /// Whether an earlier build recorded the same metadata of the original.
    func isRecorded(_ original: OriginalRow) -> Bool { originals[original.sha256] == original }

    /// Releases the metadata that this build has read. What is rendered after this reads it again.
    func discardMetadata() { progress.withLock { $0.metadata = [:] } }

    /// The expected cost of rendering an original; nil if it can't be known in advance, or if the file is not a
    /// picture. Rendering then reports the error.
    func estimateCost(_ original: Digest, options: DerivativeOptions) -> RenderingCost? {
        do {
            return try DerivativeMaker(options: options).estimateCost(originalAt: store.path(of: original))
        } catch {
            return nil
        }
    }

    /// What was rendered from an original: its metadata, all its derivatives, and a problem with its colour profile, if
    /// there is one.
    typealias Result = (
        metadata: ImageMetadata, pictures: [PublishedPicture], profileProblem: ProfileProblem?
    )

    /// Renders the missing derivatives of an original. If several photos have the same original and options, the first
    /// renders them, and the others wait.
    /// - Parameter header: the header of the original, if it was already read.
    func render(
        _ original: Digest, header: PictureHeader?, options: DerivativeOptions, isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> Result {
        let work = Rendering(original: original, options: options)
        return try locks.withLock(work) { () throws(ImagingError) in
            try render(work, header: header, isVersion: false, isCancelled: isCancelled)
        }
    }

    /// Renders the missing derivatives of an earlier original of a photo. It is not counted as a photo.
    func renderVersion(
        _ original: Digest, options: DerivativeOptions, isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> [PublishedPicture] {
        let work = Rendering(original: original, options: options)
        let result = try locks.withLock(work) { () throws(ImagingError) in
            try render(work, header: nil, isVersion: true, isCancelled: isCancelled)
        }
        return result.pictures.map {
            PublishedPicture(
                fileName: $0.fileName, width: $0.width, height: $0.height, bytes: $0.bytes,
                content: .version(original))
        }
    }

    private func render(
        _ work: Rendering, header: PictureHeader?, isVersion: Bool, isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> Result {
        let folder = derivatives.folder + "/"
        for _ in 0..<Self.furtherAttempts {
            do throws(ImagingError) {
                return try attempt(work, header: header, isVersion: isVersion, isCancelled: isCancelled)
            } catch .read(let path, ENOENT) where path.hasPrefix(folder) {
                // The derivative is in a store, and the upload of another photo has removed it here (`ResultUpload`).
                derivatives.forget(String(path.dropFirst(folder.count)))
            }
        }
        return try attempt(work, header: header, isVersion: isVersion, isCancelled: isCancelled)
    }

    /// The number of times that a derivative that has vanished is rendered again, before its loss is an error.
    private static let furtherAttempts = 3

    private func attempt(
        _ work: Rendering, header estimatedHeader: PictureHeader?, isVersion: Bool,
        isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> Result {
        let path = store.path(of: work.original)
        let maker = DerivativeMaker(options: work.options)
        // The header is read once, and only if the metadata or the cost is not known without it.
        var header: PictureHeader?
        func readHeader() throws(ImagingError) -> PictureHeader {
            if let header { return header }
            try requireIntact(work.original)
            let read = if let estimatedHeader { estimatedHeader } else { try self.header(ofOriginalAt: path, maker) }
            header = read
            return read
        }
        let known = knownMetadata(work)
        var metadata: ImageMetadata
        if let known {
            metadata = known
        } else {
            metadata = try readHeader().presumedMetadata
            progress.withLock { _ = $0.unrecorded.insert(work.original) }
        }
        var specs = DerivativeSpec.all(original: work.original, picture: metadata, options: work.options)
        /// The derivative whose colour is sampled; nil for an earlier original, which is never a placeholder.
        var sampled: DerivativeSpec? { isVersion ? nil : specs.first }
        var profileProblem: ProfileProblem?
        while case let missing = self.missing(specs, of: work), !missing.isEmpty {
            let cost = maker.estimatedMemory(of: try readHeader())
            let made = try budget.withReservation(for: cost) { () throws(ImagingError) in
                let made =
                    metadata.hasTransparency
                    ? try maker.make(missing, original: path, into: derivatives.folder, isCancelled: isCancelled)
                    : try maker.makeOpaque(missing, original: path, into: derivatives.folder, isCancelled: isCancelled)
                if let made {
                    record(made, of: work, counts: !isVersion)
                    // The colour is sampled here, within the memory budget, and is cached from then on.
                    _ = try sampled.flatMap { spec throws(ImagingError) in try derivatives.colour(of: spec.fileName) }
                }
                return made
            }
            if let made {
                profileProblem = made.profileProblem
                break
            }
            // Decoding found transparency, so the derivatives must be PNG files.
            metadata.hasTransparency = true
            specs = DerivativeSpec.all(original: work.original, picture: metadata, options: work.options)
        }
        if metadata != known { progress.withLock { $0.metadata[work.original] = CompactMetadata(metadata) } }
        let colour = try sampled.flatMap { spec throws(ImagingError) in try derivatives.colour(of: spec.fileName) }
        let pictures = specs.map { spec in
            PublishedPicture(
                fileName: spec.fileName, width: spec.width, height: spec.height,
                bytes: derivatives.bytes(of: spec.fileName) ?? 0, isUnfiltered: spec.kind == .unfiltered,
                colour: spec == specs.first ? colour : nil)
        }
        return (metadata, pictures, profileProblem)
    }

    /// Reads a header. If reading it takes much memory, the memory is taken from the budget.
    private func header(ofOriginalAt path: String, _ maker: DerivativeMaker) throws(ImagingError) -> PictureHeader {
        let cost = try maker.estimatedMemory(ofHeaderAt: path)
        guard cost > 0 else { return try maker.header(ofOriginalAt: path) }
        // The message includes the memory for the pixels, so that a user who raises the limit raises it far enough.
        if cost > budget.limit {
            let needed = Int64(try maker.presumedMemory(ofWebPAt: path))
            throw .picture(.tooMuchMemory(needed: needed, limit: Int64(budget.limit)))
        }
        return try budget.withReservation(for: cost) { () throws(ImagingError) in try maker.header(ofOriginalAt: path) }
    }

    /// The derivatives that must be rendered. In a forced build, these are all derivatives the first time that an
    /// original is rendered with these options.
    private func missing(_ specs: [DerivativeSpec], of work: Rendering) -> [DerivativeSpec] {
        let isToDoAgain = isForced && !progress.withLock { $0.rendered.contains(work) }
        return isToDoAgain ? specs : specs.filter { derivatives.bytes(of: $0.fileName) == nil }
    }

    /// - Parameter counts: whether the derivatives are those of a photo.
    private func record(_ made: MadeDerivatives, of work: Rendering, counts: Bool) {
        progress.withLock {
            if counts { $0.renderedCount += 1 }
            if isForced { $0.rendered.insert(work) }
        }
        for (spec, bytes) in made.bytes { derivatives.add(spec.fileName, bytes: bytes) }
    }

    /// Verifies an original. An original that an earlier build stored might have been damaged since, and might still be
    /// decodable.
    /// - Throws: `ImagingError.read`, with `ENOENT` if the original is missing, or was damaged and therefore removed.
    private func requireIntact(_ original: Digest) throws(ImagingError) {
        do {
            if try downloader.hasIntact(original) { return }
        } catch .write(let path, let code) {
            throw .read(path: path, errno: code)
        } catch {
            throw .read(path: store.path(of: original), errno: EIO)
        }
        throw .read(path: store.path(of: original), errno: ENOENT)
    }

    /// The metadata of an original that is known without opening it; nil if there is none, or if it exceeds the limit
    /// on pixels.
    private func knownMetadata(_ work: Rendering) -> ImageMetadata? {
        let known =
            progress.withLock { $0.metadata[work.original] }?.metadata
            ?? originals[work.original].flatMap { ImageMetadata($0, edition: ImageMetadata.edition) }
        return known.flatMap { $0.width * $0.height <= work.options.maxPixels ? $0 : nil }
    }
}
