internal import Foundation
internal import Ledger
internal import PhotoModel
internal import Site

/// The result of a worker for a photo, as a store keeps it: one JSON object.
struct StoredPhoto: Codable, Hashable, Sendable {
    /// The version of the form. A record of another version is not read, and its photo counts as not done.
    var version = Self.currentVersion
    /// The number of the record among those of the photo in the store, from 1.
    var number = 1
    /// The photo as the worker's ledger has it. Its slug means nothing: it depends on the other photos of a list.
    var photo: PhotoFields
    /// The ledger's rows of the photo's addresses, in the order in which they are tried.
    let sources: [SourceFields]
    /// The keys of the addresses that the list gave, if the picture is that of an earlier address; nil otherwise.
    let listedAddresses: [Digest]?
    /// The facts of the photo's original; nil if it has none.
    let original: OriginalRow?
    /// The time until which the server asked not to be contacted, in seconds since 1970; nil if it did not ask.
    var retryAfter: Int64?

    static let currentVersion = 1

    /// - Returns: nil for bytes that are no record of this version.
    init?(json: some Sequence<UInt8>) {
        // The decoder's errors say nothing to users: the store has a record that this version can't use.
        guard let photo = try? JSONDecoder().decode(StoredPhoto.self, from: Data(json)),
            photo.version == Self.currentVersion, photo.isPlausible
        else { return nil }
        self = photo
    }

    /// Whether a worker can have made the record. Names of pictures become paths, colours become parts of pages, and
    /// arithmetic with numbers out of range would end the program.
    private var isPlausible: Bool {
        var times = [photo.since, photo.checked, photo.stale?.since, photo.fetched, photo.recovered, retryAfter]
        times += photo.versions.map(\.fetched)
        for source in sources { times += [source.validated, source.freshUntil, source.retryAfter, source.fetched] }
        return Self.numbers.contains(number) && times.allSatisfy { $0.map(Self.times.contains) ?? true }
            && (0...Self.numbers.upperBound).contains(photo.attempts)
            && (photo.state == .failed) == (photo.reason != nil)
            && photo.pictures.allSatisfy(\.isPlausible) && sources.allSatisfy { $0.bytes >= 0 }
            && original.map { PublishedPicture.sides.contains($0.width) && PublishedPicture.sides.contains($0.height) }
                ?? true
    }

    /// The numbers of records, and of attempts.
    static let numbers = 1...1_000_000_000
    /// Seconds since 1970, up to the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799

    /// - Parameter listed: the keys of the addresses that the list gives; empty if they can't be used.
    init(
        photo: PhotoFields, listed: [Digest], sources: [SourceFields], original: OriginalRow?, retryAfter: Int64?
    ) {
        self.photo = photo
        self.sources = sources
        let isOfEarlierAddress = photo.source.map { !listed.contains($0) } ?? false
        listedAddresses = isOfEarlierAddress ? listed : nil
        self.original = original
        self.retryAfter = retryAfter
    }

    /// The record as one line, without a line break.
    var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return [UInt8](try encoder.encode(self))
        }
    }

    /// Whether the photo has its current picture, so that nothing is left to do.
    var isComplete: Bool { photo.state != .failed && photo.state != .new && photo.stale == nil }

    /// Whether this result counts, and not another one of the same photo. A picture is better than none; of two
    /// pictures or of two failures, the later one counts.
    func supersedes(_ other: StoredPhoto) -> Bool {
        let (hasPicture, otherHasPicture) = (photo.sha256 != nil, other.photo.sha256 != nil)
        return hasPicture == otherHasPicture ? photo.checked >= other.photo.checked : hasPicture
    }

    /// Whether another result is that of the same addresses with the same settings.
    private func isComparable(with other: StoredPhoto) -> Bool {
        photo.source == other.photo.source && listedAddresses == other.listedAddresses
            && (photo.recipe == other.photo.recipe || photo.pictures.isEmpty || other.photo.pictures.isEmpty)
    }

    /// Whether a result that another worker has recorded in the meantime stands for this one.
    func isReplaced(by other: StoredPhoto) -> Bool { isComparable(with: other) && other.supersedes(self) }

    /// Whether both say the same, except for when and how often servers were asked.
    func differsOnlyInTime(from other: StoredPhoto) -> Bool {
        var alike = photo
        alike.attempts = other.photo.attempts
        return PhotoRow(alike).differsOnlyInTime(from: PhotoRow(other.photo)) && original == other.original
            && listedAddresses == other.listedAddresses
            && sources.map(\.withoutTimes) == other.sources.map(\.withoutTimes)
    }
}

extension SourceFields {
    fileprivate var withoutTimes: SourceFields {
        var fields = self
        (fields.validated, fields.freshUntil) = (nil, nil)
        return fields
    }
}

extension LedgerSnapshot {
    /// Adds what a store has of photos. Its rows of photos take the place of this machine's.
    mutating func add(_ stored: some Sequence<StoredPhoto>) {
        var other = LedgerSnapshot()
        for photo in stored {
            for source in photo.sources { other.sources[source.key] = SourceRow(source) }
            if let original = photo.original { other.originals[original.sha256] = original }
            photos[photo.photo.key] = nil
            other.photos[photo.photo.key] = PhotoRow(photo.photo)
        }
        merge(other)
    }
}
