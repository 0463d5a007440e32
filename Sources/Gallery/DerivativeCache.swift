internal import Foundation
internal import Synchronization

/// The derivatives that are already made: those in the state folder, and those in the output folder.
final class DerivativeCache: Sendable {
    /// Where new ones are made.
    let folder: String
    private let sizes: Mutex<[String: Int64]>
    private let staged: Mutex<Set<String>>

    /// - Parameters:
    ///   - published: file name → bytes of those that stand in the output folder.
    ///   - remembered: file name → bytes of those the ledger knows, which spares a look at each file.
    init(folder: String, published: [String: Int64], remembered: [String: Int64]) throws(GalleryError) {
        self.folder = folder
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .storage(path: folder, detail: "the folder can't be listed: \(error.localizedDescription)")
        }
        var sizes = published
        var staged: Set<String> = []
        for name in names where !name.hasPrefix(".") {
            guard let bytes = remembered[name] ?? Self.size(of: folder + "/" + name) else { continue }
            sizes[name] = bytes
            staged.insert(name)
        }
        self.sizes = Mutex(sizes)
        self.staged = Mutex(staged)
    }

    /// The size of a derivative that is there; nil for one that must be made.
    func bytes(of name: String) -> Int64? { sizes.withLock { $0[name] } }

    func add(_ name: String, bytes: Int64) {
        sizes.withLock { $0[name] = bytes }
        staged.withLock { _ = $0.insert(name) }
    }

    /// The path of a derivative in the state folder; nil for one that only stands in the output folder.
    func stagedPath(of name: String) -> String? {
        staged.withLock { $0.contains(name) } ? folder + "/" + name : nil
    }

    /// Removes those that no photo shows any more, and what a killed build left.
    func prune(keeping used: Set<String>) throws(GalleryError) {
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !used.contains(name) {
                try FileManager.default.removeItem(atPath: folder + "/" + name)
            }
        } catch {
            throw .storage(path: folder, detail: error.localizedDescription)
        }
        staged.withLock { $0.formIntersection(used) }
    }

    private static func size(of path: String) -> Int64? {
        var status = stat()
        return lstat(path, &status) == 0 ? Int64(status.st_size) : nil
    }
}
