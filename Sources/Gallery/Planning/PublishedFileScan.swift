internal import Ledger
internal import PhotoModel
internal import Site

/// The files in the output folder as a build has found them.
struct PublishedFiles: Sendable {
    /// The state of the disk, as far as it is known.
    var diskState = DiskState()
    /// The recorded files; nil if the ledger does not know the output folder.
    var scanned: ScannedFiles?
}

/// Compares the files in an output folder with the ledger's record of them. It changes nothing.
struct PublishedFileScan: Sendable {
    private let output: String
    /// The permissions that all files and folders of the site must have; nil if any permissions are allowed.
    private let permissions: SitePermissions?
    private let retention: Retention

    init(_ options: BuildOptions) {
        output = options.output
        permissions = options.permissions
        retention = options.retention
    }

    /// The recorded files. Other values of the state are those of an empty disk.
    func run(_ ledger: Ledger) throws(GalleryError) -> PublishedFiles {
        var diskState = DiskState()
        do {
            var scan = try SiteScan(output: output, permissions: permissions)
            var keepsFiles = false
            try ledger.forEachFile(
                output: output, begin: { scan.reserve($0) },
                { path, file in
                    scan.add(path, file)
                    if path == RetainedFiles.path { keepsFiles = true }
                })
            let result = scan.run()
            diskState.damaged = result.damaged
            diskState.otherPermissions = result.differing
            if keepsFiles {
                let retained = try RetainedFiles(in: output)
                diskState.expired = retained.expired(retention)
                diskState.retained = retained.entries.count - diskState.expired
                for (path, bytes) in result.files.bytes(of: Set(retained.entries.keys)) {
                    if let name = pictureName(path) { diskState.retainedPictures[name] = bytes }
                }
            }
            return PublishedFiles(diskState: diskState, scanned: result.files)
        } catch let error as SiteError {
            throw .site(error)
        } catch let error as LedgerError {
            throw GalleryError(error)
        } catch {
            throw .bug(String(describing: error))
        }
    }
}

/// The file name of a picture; nil if the path is that of another file.
func pictureName(_ path: String) -> String? {
    let folder = PublishedImages.folder
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : nil
}
