internal import Foundation
internal import Ledger
internal import PhotoModel

/// `clean --forget`: removes a gallery from a ledger, for example one that was deleted, so that its originals and
/// derivatives are no longer needed. Neither its site nor any original is removed.
package struct GalleryForgetting {
    /// The possible meanings of a name on the command line.
    package struct Name {
        /// The name as it was typed.
        let text: String
        /// The manifest that the name might refer to.
        let manifest: ManifestInput
        /// The absolute path of the manifest or output folder that the name might refer to.
        let path: String

        package init(text: String, manifest: ManifestInput, path: String) {
            self.text = text
            self.manifest = manifest
            self.path = path
        }
    }

    /// The galleries that a name refers to.
    package struct Found {
        let galleries: [KnownGallery]

        /// Descriptions of the galleries, each in one line.
        package var lines: [String] { galleries.map(GalleryForgetting.line) }
    }

    private let state: StateFolder
    private let holder: String

    /// - Parameter holder: the description of this run that the lock gives to a build.
    package init(state: StateFolder, holder: String) {
        self.state = state
        self.holder = holder
    }

    /// The galleries that `run()` would remove.
    package func plan(_ name: Name) throws(GalleryError) -> Found {
        let ledger: Ledger?
        do {
            ledger = try Ledger(reading: state.ledger)
        } catch {
            throw GalleryError(error)
        }
        return try find(name, in: ledger)
    }

    /// Removes the galleries.
    /// - Returns: the removed galleries.
    /// - Throws: `GalleryError.locked` if a build is using the state folder, `.manifestUnreachable` if no gallery has
    ///   that name.
    package func run(_ name: Name) throws(GalleryError) -> Found {
        guard FileManager.default.fileExists(atPath: state.ledger) else {
            // A first build might be creating the ledger.
            let exists = FileManager.default.fileExists(atPath: state.path)
            if exists { try FolderLock(path: state.lock, holder: holder).release() }
            return try find(name, in: nil)
        }
        let lock = try FolderLock(path: state.lock, holder: holder)
        let ledger: Ledger
        do {
            ledger = try Ledger(path: state.ledger)
        } catch {
            throw GalleryError(error)
        }
        defer { ledger.close() }
        let found = try find(name, in: ledger)
        do {
            for gallery in found.galleries { try ledger.forget(gallery) }
        } catch {
            throw GalleryError(error)
        }
        lock.release()
        return found
    }

    /// The galleries whose only manifest or whose output folder has the name. If there is none, the galleries that have
    /// the name among several manifests.
    private func find(_ name: Name, in ledger: Ledger?) throws(GalleryError) -> Found {
        let all: [KnownGallery]
        do {
            all = try ledger?.galleries() ?? []
        } catch {
            throw GalleryError(error)
        }
        let alone = all.filter { gallery in
            ledger?.has(gallery, manifests: [name.manifest.identity]) == true || gallery.key == name.text
                || ledger?.publishes(gallery, to: name.path) == true
        }
        let found = alone.isEmpty ? all.filter { ledger?.has($0, manifest: name.path) == true } : alone
        guard found.isEmpty else { return Found(galleries: found) }
        let known = all.isEmpty ? "it has none" : "it has " + all.map(Self.line).joined(separator: "; ")
        throw .manifestUnreachable(
            shown: name.manifest.shown,
            detail: "the ledger in \(state.path) has no gallery with this list or site; \(known)")
    }

    /// A description such as "/home/me/photos.plist → /home/me/public (12 photos)".
    private static func line(_ gallery: KnownGallery) -> String {
        let list = gallery.manifests.isEmpty ? gallery.key : gallery.manifests.joined(separator: ", ")
        return list + (gallery.output.map { " → \($0)" } ?? "") + " (\(counted(gallery.photos, "photo")))"
    }
}
