internal import Foundation
internal import Imaging
package import Ledger
internal import Site
internal import Synchronization

/// The derivatives that are already made: those in the state folder, and those in the output folder.
package final class DerivativeCache: Sendable {
    /// Where new ones are made.
    let folder: String
    /// Where those stand that are published.
    private let publishedFolder: String
    private let sizes: Mutex<[String: Int64]>
    private let colours: Mutex<[String: String]>
    private let unsynced = Mutex<[String]>([])

    /// - Parameters:
    ///   - published: file name → bytes of those that stand in the output folder.
    ///   - publishedFolder: the folder of pictures in the output folder.
    ///   - remembered: what the ledger knows to be complete.
    package init(
        folder: String, published: [String: Int64], in publishedFolder: String, remembered: [PublishedPicture]
    ) throws(GalleryError) {
        self.folder = folder
        self.publishedFolder = publishedFolder
        let complete = Dictionary(remembered.map { ($0.fileName, $0.bytes) }) { $1 }
        colours = Mutex(
            Dictionary(remembered.compactMap { picture in picture.colour.map { (picture.fileName, $0) } }) { $1 })
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .storage(path: folder, detail: "the folder can't be listed: \(error.localizedDescription)")
        }
        var sizes = published
        for name in names where !name.hasPrefix(".") {
            // A power cut may leave a file shorter than it was made: such a one is made again.
            guard let bytes = Self.size(of: folder + "/" + name), bytes == complete[name],
                sizes[name] == bytes || !hasLostPages(folder + "/" + name)
            else { continue }
            sizes[name] = bytes
        }
        self.sizes = Mutex(sizes)
    }

    /// The size of a derivative that is there; nil for one that must be made.
    func bytes(of name: String) -> Int64? { sizes.withLock { $0[name] } }

    func add(_ name: String, bytes: Int64) {
        sizes.withLock { $0[name] = bytes }
        unsynced.withLock { $0.append(name) }
    }

    /// Where a derivative is, unless it only stands in the output folder.
    func path(of name: String) -> String { folder + "/" + name }

    /// The colour of a derivative that is there; nil if it can't be read now, which is no reason to do without the photo.
    func colour(of name: String) -> String? {
        if let known = colours.withLock({ $0[name] }) { return known }
        for folder in [folder, publishedFolder] {
            guard let colour = try? DerivativeMaker.colour(ofDerivativeAt: folder + "/" + name) else { continue }
            colours.withLock { $0[name] = colour }
            return colour
        }
        return nil
    }

    /// Makes what was added last through a power cut, before anything refers to it.
    func sync() throws(SiteError) {
        let names = unsynced.withLock { names in
            defer { names = [] }
            return names
        }
        // One synchronisation of everything costs less than many of single files.
        if names.count > 16 { return Foundation.sync() }
        for name in names {
            let path = path(of: name)
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .write(path: path, errno: errno) }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else { throw .write(path: path, errno: errno) }
        }
    }

    /// Removes those that no photo shows any more, and what a killed build left.
    /// - Returns: what could not be removed, for people.
    func prune(keeping used: Set<String>) -> [String] {
        // A folder that cannot be listed has been listed when the build began: there is nothing more to say of it.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !used.contains($0) }.compactMap { name in
            unlink(path(of: name)) == 0
                ? nil : "\(path(of: name)) can't be removed: \(String(cString: strerror(errno)))"
        }
    }

    static func size(of path: String) -> Int64? {
        var status = stat()
        return lstat(path, &status) == 0 ? Int64(status.st_size) : nil
    }
}
