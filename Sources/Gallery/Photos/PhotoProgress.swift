package import Imaging
package import Ledger
package import PhotoModel

extension PhotoRecord {
    /// A photo's progress in this build. Only the photo's own operations change it, one after the other.
    package struct Progress: Sendable {
        package var state: PhotoState = .new
        /// Why the photo failed.
        package var failure: Failure?
        /// Why the last good picture is shown and not a new one.
        package var staleness: Failure?
        /// The ledger key of the address that delivered the original; nil if none did.
        package var address: Digest?
        /// The index of that address among the photo's addresses.
        package var addressIndex: Int?
        /// The failure of the first address, if a mirror delivered the original.
        package var earlierFailure: Failure?
        /// The mark that says why the original that is shown is not what the address has now.
        package var mark: PhotoMark?
        /// The original to show, once it is stored.
        package var original: Digest?
        /// The time at which the original was received, in seconds since 1970; nil if unknown.
        package var fetched: Int64?
        package var metadata: ImageMetadata?
        package var pictures: [PublishedPicture] = []
        /// The earlier originals that are lost, or that can't be rendered any more.
        package var unusableVersions: [Digest] = []
        /// The colour problem that rendering found in this build.
        package var profileProblem: ProfileProblem?
        /// Whether the photo's address was requested in this build.
        package var wasRequested = false
        /// The time until which the server asked not to be contacted, in seconds since 1970; nil if it did not ask.
        package var retryAfter: Int64?
        /// The size in bytes of an original that was received in this build.
        package var bytes: Int64?
        /// The time that transfers and rendering took, without waiting.
        package var workTime = Duration.zero
        /// Whether the photo stays as the last build left it. If so, the only other value that counts is
        /// `wasRequested`.
        package var isUnchanged = false

        /// Notes that no address has delivered the original that is shown.
        mutating func forgetAddress() { (address, addressIndex) = (nil, nil) }
    }
}
