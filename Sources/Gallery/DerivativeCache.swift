internal import Foundation
internal import Site
internal import Synchronization

/// The derivatives that are already made: those in the state folder, and those in the output folder.
package final class DerivativeCache: Sendable {
    /// Where new ones are made.
    let folder: String
    private let sizes: Mutex<[String: Int64]>
    private let unsynced = Mutex<[String]>([])

    /// - Parameters:
    ///   - published: file name → bytes of those that stand in the output folder.
    ///   - remembered: file name → bytes of those that the ledger knows to be complete.
    package init(folder: String, published: [String: Int64], remembered: [String: Int64]) throws(GalleryError) {
        self.folder = folder
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .storage(path: folder, detail: "the folder can't be listed: \(error.localizedDescription)")
        }
        var sizes = published
        for name in names where !name.hasPrefix(".") {
            // A power cut may leave a file shorter than it was made: such a one is made again.
            guard let bytes = Self.size(of: folder + "/" + name), bytes == remembered[name],
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
