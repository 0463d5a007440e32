internal import Downloads
internal import Foundation
internal import Imaging
internal import Ledger
internal import PhotoModel
internal import Synchronization

/// Makes the derivatives of originals: each once, within the memory that all have together.
final class DerivativeRenderer: Sendable {
    private let store: OriginalStore
    private let downloader: Downloader
    private let derivatives: DerivativeCache
    /// The facts of each original that are recorded, by its digest.
    private let originals: [Digest: OriginalRow]
    /// The memory for all photos that are filtered at once.
    private let budget: MemoryBudget
    /// Whether all are made again, whatever is there.
    private let isForced: Bool
    private let progress = Mutex(Progress())
    private let locks = KeyedLock<Rendering>()

    private struct Progress {
        /// Facts that were read in this build.
        var facts: [Digest: CompactFacts] = [:]
        /// Originals whose facts were read in this build and are not recorded yet.
        var unrecorded: Set<Digest> = []
        var rendered: Set<Rendering> = []
        var renderedCount = 0
    }

    /// A run of the derivative maker; equal values make the same files.
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

    /// Whether a derivative is there, whole.
    func holds(_ name: String) -> Bool { derivatives.bytes(of: name) != nil }

    /// Whether facts of an original were read that are not recorded; from now on they are taken to be.
    func takeUnrecorded(of original: Digest) -> Bool { progress.withLock { $0.unrecorded.remove(original) != nil } }

    /// Whether an earlier build recorded the same of an original.
    func isRecorded(_ original: OriginalRow) -> Bool { originals[original.sha256] == original }

    /// Releases the facts. Nothing is rendered after this.
    func forgetFacts() { progress.withLock { $0.facts = [:] } }

    /// The expected cost of an original; nil if it can't be known before rendering, or if the file is no picture, which
    /// rendering reports.
    func estimateCost(_ original: Digest, options: DerivativeOptions) -> RenderingCost? {
        do {
            return try DerivativeMaker(options: options).estimateCost(originalAt: store.path(of: original))
        } catch {
            return nil
        }
    }

    /// Makes what is missing of an original's derivatives. Of several photos with the same picture and options the
    /// first makes them, and the others wait for it.
    /// - Parameter header: of the original, where it was read before.
    /// - Returns: the facts of the original, and all its derivatives.
    func render(
        _ original: Digest, header: PictureHeader?, options: DerivativeOptions, isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> (facts: ImageMetadata, pictures: [PublishedPicture], profileProblem: ProfileProblem?) {
        let work = Rendering(original: original, options: options)
        return try locks.take(work) { () throws(ImagingError) in
            try render(work, header: header, isCancelled: isCancelled)
        }
    }

    private func render(
        _ work: Rendering, header estimatedHeader: PictureHeader?, isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> (facts: ImageMetadata, pictures: [PublishedPicture], profileProblem: ProfileProblem?) {
        let path = store.path(of: work.original)
        let maker = DerivativeMaker(options: work.options)
        // The header is read once, and only if the facts or the cost are not known without it.
        var header: PictureHeader?
        func readHeader() throws(ImagingError) -> PictureHeader {
            if let header { return header }
            try requireIntact(work.original)
            let read = if let estimatedHeader { estimatedHeader } else { try self.header(ofOriginalAt: path, maker) }
            header = read
            return read
        }
        let known = knownFacts(work)
        var facts: ImageMetadata
        if let known {
            facts = known
        } else {
            facts = try readHeader().presumedFacts
            progress.withLock { _ = $0.unrecorded.insert(work.original) }
        }
        var specs = DerivativeSpec.all(original: work.original, picture: facts, options: work.options)
        var profileProblem: ProfileProblem?
        while case let missing = self.missing(specs, of: work), !missing.isEmpty {
            let cost = maker.estimatedMemory(of: try readHeader())
            let made = try budget.withRoom(for: cost) { () throws(ImagingError) in
                let made =
                    facts.hasTransparency
                    ? try maker.make(missing, original: path, into: derivatives.folder, isCancelled: isCancelled)
                    : try maker.makeOpaque(missing, original: path, into: derivatives.folder, isCancelled: isCancelled)
                if let made {
                    note(made, of: work)
                    // The colour is sampled here, within the memory budget, and is cached from then on.
                    _ = try specs.first.flatMap { spec throws(ImagingError) in
                        try derivatives.colour(of: spec.fileName)
                    }
                }
                return made
            }
            if let made {
                profileProblem = made.profileProblem
                break
            }
            // Decoding found transparency, so PNG specs apply.
            facts.hasTransparency = true
            specs = DerivativeSpec.all(original: work.original, picture: facts, options: work.options)
        }
        if facts != known { progress.withLock { $0.facts[work.original] = CompactFacts(facts) } }
        let colour = try specs.first.flatMap { spec throws(ImagingError) in try derivatives.colour(of: spec.fileName) }
        let pictures = specs.map { spec in
            PublishedPicture(
                fileName: spec.fileName, width: spec.width, height: spec.height,
                bytes: derivatives.bytes(of: spec.fileName) ?? 0, isUnfiltered: spec.kind == .unfiltered,
                colour: spec == specs.first ? colour : nil)
        }
        return (facts, pictures, profileProblem)
    }

    /// Reads a header, within the budget where that takes much.
    private func header(ofOriginalAt path: String, _ maker: DerivativeMaker) throws(ImagingError) -> PictureHeader {
        let cost = try maker.estimatedMemory(ofHeaderAt: path)
        guard cost > 0 else { return try maker.header(ofOriginalAt: path) }
        // The message includes the memory for the pixels, so that nobody raises the limit in vain.
        if cost > budget.limit {
            let needed = Int64(try maker.presumedMemory(ofWebPAt: path))
            throw .picture(.tooMuchMemory(needed: needed, limit: Int64(budget.limit)))
        }
        return try budget.withRoom(for: cost) { () throws(ImagingError) in try maker.header(ofOriginalAt: path) }
    }

    /// A forced build makes all of them, but those of one original once.
    private func missing(_ specs: [DerivativeSpec], of work: Rendering) -> [DerivativeSpec] {
        let isToDoAgain = isForced && !progress.withLock { $0.rendered.contains(work) }
        return isToDoAgain ? specs : specs.filter { derivatives.bytes(of: $0.fileName) == nil }
    }

    private func note(_ made: MadeDerivatives, of work: Rendering) {
        progress.withLock {
            $0.renderedCount += 1
            if isForced { $0.rendered.insert(work) }
        }
        for (spec, bytes) in made.bytes { derivatives.add(spec.fileName, bytes: bytes) }
    }

    /// An original that an earlier build stored may have been damaged since, and may still be decodable.
    /// - Throws: `ImagingError.read` with `ENOENT` for one that is gone, or damaged and therefore removed.
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

    /// The facts of an original without opening it; nil where nothing is remembered, or it is larger than allowed.
    private func knownFacts(_ work: Rendering) -> ImageMetadata? {
        let known =
            progress.withLock { $0.facts[work.original] }?.facts
            ?? originals[work.original].flatMap { ImageMetadata($0, edition: ImageMetadata.edition) }
        return known.flatMap { $0.width * $0.height <= work.options.maxPixels ? $0 : nil }
    }
}
