package import Imaging
package import Ledger
package import PhotoModel

extension PhotoRecord {
    /// A photo's progress in this build. Only the photo's own operations change it, one after the other.
    package struct Progress: Sendable {
        package var state: PhotoState = .new
        /// Why it failed.
        package var failure: Failure?
        /// Why the picture shown is the last good one and not a new one.
        package var staleness: Failure?
        /// The original that is to be shown, once it is stored.
        package var original: Digest?
        /// When the original was received, seconds since 1970, if known.
        package var fetched: Int64?
        package var facts: ImageMetadata?
        package var pictures: [PublishedPicture] = []
        /// The colour problem that rendering found in this build.
        package var profileProblem: ProfileProblem?
        /// Whether its address was asked in this build.
        package var wasAsked = false
        /// Until when the server wants to be left alone, seconds since 1970, if it said so.
        package var postponed: Int64?
        /// The size of an original that came in this build.
        package var bytes: Int64?
        /// How long its transfers and its rendering took, without waiting.
        package var workTime = Duration.zero
        /// The photo stays as the last build left it; of the other values only `wasAsked` counts.
        package var isKept = false
    }
}
