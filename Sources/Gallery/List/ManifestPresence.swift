internal import Foundation
internal import Manifest
internal import PhotoModel

extension ManifestInput {
    /// Checks that a local manifest exists, without reading it. The check comes before the locks are taken, because a
    /// build whose manifest is missing must not leave a state folder behind. A remote manifest is requested later.
    /// - Parameter advice: what to do if there is no such file.
    /// - Throws: `GalleryError.manifestUnreachable` if the manifest is missing, is a folder or can't be read.
    package func checkExists(
        advice: String =
            "name one, run gallerygen in the folder of photos.plist, or start a gallery with gallerygen init"
    ) throws(GalleryError) {
        guard case .file(let path, let shown) = self else { return }
        var status = stat()
        let detail: String
        if stat(path, &status) != 0, errno == ENOENT || errno == ENOTDIR {
            detail = "no such manifest; \(advice)"
        } else if status.st_mode & S_IFMT == S_IFDIR {
            detail = Self.detail(ofFolder: path, shown: shown)
        } else if access(path, R_OK) != 0 {
            detail = "it can't be read: \(systemMessage(errno))"
        } else {
            return
        }
        throw .manifestUnreachable(shown: shown, detail: detail)
    }

    /// The advice for a folder that was given in place of a manifest.
    static func detail(ofFolder path: String, shown: String) -> String {
        var status = stat()
        let list = shown.hasSuffix("/") ? shown + "photos.plist" : shown + "/photos.plist"
        if stat(path + "/photos.plist", &status) == 0 { return "it is a folder, not a manifest; its list is \(list)" }
        return
            "it is a folder, not a manifest; make a list of its pictures with\n  \(ImportCommand(folder: shown).text)"
    }
}
