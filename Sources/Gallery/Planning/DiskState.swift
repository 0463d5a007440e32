package import PhotoModel

/// The state of the disk, as far as a plan depends on it.
package struct DiskState: Sendable {
    /// The originals that are in the store.
    package var originals: Set<Digest>
    /// The stamps of the list's local files that exist.
    package var stamps: [Source.Location: FileStamp]
    /// The file names of derivatives that the ledger knows and that are in no folder.
    package var lostPictures: Set<String>
    /// The paths of published files in the output folder that are missing, or whose size is not the recorded one.
    package var damaged: [String]
    /// Whether a killed build left temporary files in the output folder.
    package var hasTemporaryFolders: Bool
    /// The number of published files and folders whose permissions differ from the wanted ones.
    package var otherPermissions = 0
    /// The number of files of earlier publications that have been kept long enough (`expired`), and of those that stay
    /// (`retained`).
    package var expired = 0
    package var retained = 0
    /// The sizes in bytes of the retained pictures, by file name. They need not be rendered if a photo shows them
    /// again.
    var retainedPictures: [String: Int64] = [:]

    package init(
        originals: Set<Digest> = [], stamps: [Source.Location: FileStamp] = [:], lostPictures: Set<String> = [],
        damaged: [String] = [], hasTemporaryFolders: Bool = false
    ) {
        self.originals = originals
        self.stamps = stamps
        self.lostPictures = lostPictures
        self.damaged = damaged
        self.hasTemporaryFolders = hasTemporaryFolders
    }
}
