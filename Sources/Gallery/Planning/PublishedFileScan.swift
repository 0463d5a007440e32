internal import Ledger
internal import PhotoModel
internal import Site

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

    /// The state of the recorded files. The other values of the result are those of an empty disk.
    func run(_ ledger: Ledger) throws(GalleryError) -> DiskState {
        var diskState = DiskState()
        do {
            var probe = try SiteProbe(output: output, permissions: permissions)
            var keepsFiles = false
            try ledger.forEachFile(output: output) { path, bytes in
                if !probe.contains(path, bytes: bytes) { diskState.damaged.append(path) }
                if path == RetainedFiles.path { keepsFiles = true }
            }
            diskState.otherPermissions = probe.differing
            guard keepsFiles else { return diskState }
            let retained = try RetainedFiles(in: output)
            diskState.expired = retained.expired(retention)
            diskState.retained = retained.entries.count - diskState.expired
            try ledger.forEachFile(output: output) { path, bytes in
                guard let name = pictureName(path), retained.entries[path] != nil else { return }
                diskState.retainedPictures[name] = bytes
            }
            return diskState
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
