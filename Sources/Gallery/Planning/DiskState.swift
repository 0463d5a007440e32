package import Downloads
package import PhotoModel

/// What stands on the disk, as far as a plan has to know.
package struct DiskState: Sendable {
    /// The originals that are in the store.
    package var originals: Set<Digest>
    /// Path → stamp of each local file of the list that is there.
    package var stamps: [String: FileStamp]
    /// File names of derivatives that are remembered and stand nowhere any more.
    package var lostPictures: Set<String>
    /// Paths of our files in the output folder that are gone, or are not of the size they were written with.
    package var damaged: [String]
    /// Whether a killed build left temporary files in the output folder.
    package var hasLeftovers: Bool
    /// How many of our files and folders in the output folder have other permissions than they are to have.
    package var otherPermissions = 0

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
