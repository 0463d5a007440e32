internal import Ledger
internal import PhotoModel

/// The last good picture, shown and marked stale while the source fails.
enum StaleFallback {
    /// The original that it showed or, if it showed none, what its address gave before this build, as after it was
    /// renamed; and when that came, seconds since 1970.
    case original(Digest, fetched: Int64?)
    /// The pictures that it showed: they are there, though the original that they were made of is lost.
    case pictures(PhotoRow)
}
