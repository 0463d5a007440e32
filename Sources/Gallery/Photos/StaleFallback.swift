internal import Ledger
internal import PhotoModel

/// The last good picture, shown and marked stale while the source fails.
enum StaleFallback {
    /// The original of the picture that was shown last. If none was ever shown, it is the original that the address
    /// delivered before this build, for example for a photo that was then renamed. `fetched` is the time at which the
    /// original was received, in seconds since 1970.
    case original(Digest, fetched: Int64?)
    /// The pictures that were shown last. They still exist, although their original is lost.
    case pictures(PhotoRow)

    /// The original that pictures must be rendered from; nil if the pictures exist.
    var original: Digest? {
        if case .original(let original, _) = self { original } else { nil }
    }
}

extension PhotoRecord.Progress {
    mutating func show(_ lastGood: StaleFallback) {
        switch lastGood {
        case .original(let original, let fetched):
            state = .downloaded
            self.original = original
            self.fetched = fetched
        case .pictures(let row):
            state = row.state
            original = row.sha256
            pictures = row.pictures
        }
    }
}
