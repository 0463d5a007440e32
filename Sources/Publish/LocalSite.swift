internal import Foundation
package import PhotoModel
internal import Site

/// The files of the site in an output folder.
package struct LocalSite {
    private let folder: String
    private let owned: [String: OwnedFile]

    /// - Parameters:
    ///   - folder: the absolute path of the output folder.
    ///   - owned: the files there that gallerygen wrote, by path.
    package init(folder: String, owned: [String: OwnedFile]) {
        self.folder = folder
        self.owned = owned
    }

    /// All files of the site.
    /// - Throws: `PublishError.noSite` if there are none.
    func files() throws(PublishError) -> [OutgoingFile] {
        guard owned[SitePath.index] != nil else { throw .noSite(path: folder) }
        var files: [OutgoingFile] = []
        files.reserveCapacity(owned.count)
        for (path, file) in owned {
            var known = file.digest
            if SitePath.isNamedByContent(path) { known = nil } else if known == nil { known = try digest(path) }
            files.append(
                OutgoingFile(path: path, source: "\(folder)/\(path)", bytes: file.bytes, digest: known))
        }
        return files
    }

    /// Makes sure that files are as the last build wrote them.
    /// - Throws: `PublishError.changed` for the first file that is not.
    func check(_ files: [OutgoingFile]) throws(PublishError) {
        for file in files {
            var status = stat()
            guard lstat(file.source, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                Int64(status.st_size) == file.bytes
            else { throw .changed(path: file.source) }
            if let digest = file.digest, try self.digest(file.path) != digest { throw .changed(path: file.source) }
        }
    }

    private func digest(_ path: String) throws(PublishError) -> Digest {
        do throws(SiteError) {
            return try OpenFile(reading: "\(folder)/\(path)").digest()
        } catch {
            if case .write(_, ENOENT) = error { throw .changed(path: "\(folder)/\(path)") }
            throw .unreadable(path: "\(folder)/\(path)", detail: error.reason)
        }
    }
}

extension SiteError {
    /// The system's reason without the sentence that `description` has around it.
    var reason: String {
        switch self {
        case .write(_, let errno), .cannotCreate(_, let errno), .full(_, let errno, _, _):
            systemMessage(errno)
        default: description
        }
    }
}
