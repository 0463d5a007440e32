internal import Foundation

/// The folder in which a gallery keeps what it remembers: ledger, originals, derivatives, and the lock.
package struct StateFolder: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    var ledger: String { path + "/ledger.sqlite" }
    var originals: String { path + "/originals" }
    var derivatives: String { path + "/derivatives" }
    var lock: String { path + "/lock" }

    /// Makes the folder and what is in it.
    func create() throws(GalleryError) {
        for folder in [path, derivatives] {
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            } catch {
                throw .storage(path: folder, detail: "the folder can't be made: \(error.localizedDescription)")
            }
        }
    }
}
