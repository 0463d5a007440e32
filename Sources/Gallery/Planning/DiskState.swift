package import PhotoModel

/// The state of the disk, as far as a plan depends on it.
package struct DiskState: Sendable {
    /// The originals that are in the store.
    package var originals: Set<Digest>
    /// Path → stamp of each local file of the list that exists.
    package var stamps: [String: FileStamp]
    /// File names of derivatives that the ledger knows and no folder has.
    package var lostPictures: Set<String>
    /// Paths of our files in the output folder that are gone, or are not of the size they were written with.
    package var damaged: [String]
    /// Whether a killed build left temporary files in the output folder.
    package var hasLeftovers: Bool
    /// The number of our files and folders in the output folder whose permissions differ from the wanted ones.
    package var otherPermissions = 0
    /// The number of files of earlier publications that have been kept long enough, and of those that stay.
    package var expired = 0
    package var kept = 0
    /// The pictures among them, which need not be made when a photo shows them again: file name → bytes.
    var keptPictures: [String: Int64] = [:]

    package init(
        originals: Set<Digest> = [], stamps: [String: FileStamp] = [:], lostPictures: Set<String> = [],
        damaged: [String] = [], hasLeftovers: Bool = false
    ) {
        self.originals = originals
        self.stamps = stamps
        self.lostPictures = lostPictures
        self.damaged = damaged
        self.hasLeftovers = hasLeftovers
    }
}
