internal import Foundation
internal import Ledger
internal import PhotoModel

/// `clean --forget`: takes a gallery out of a ledger, one that is gone above all, so that nothing it had is needed
/// any more. Neither its site nor any original is removed.
package struct GalleryForgetting {
    /// The meanings of a name on the command line.
    package struct Name {
        /// The name as it was typed.
        let text: String
        /// The manifest that it may name.
        let manifest: ManifestInput
        /// The manifest or output folder that it may name, absolute.
        let path: String

        package init(text: String, manifest: ManifestInput, path: String) {
            self.text = text
            self.manifest = manifest
            self.path = path
        }
    }

    private let state: StateFolder
    private let holder: String

    /// - Parameter holder: what the lock tells a build about this run.
    package init(state: StateFolder, holder: String) {
        self.state = state
        self.holder = holder
    }

    /// Says which galleries `run()` would forget, each in a line.
    package func plan(_ name: Name) throws(GalleryError) -> [String] {
        let ledger: Ledger?
        do {
            let isThere = FileManager.default.fileExists(atPath: state.ledger)
            ledger = isThere ? try Ledger(reading: state.ledger) : nil
        } catch {
            throw GalleryError(error)
        }
        return try find(name, in: ledger).map(Self.line)
    }

    /// - Returns: which galleries were forgotten, each in a line.
    /// - Throws: `GalleryError.locked` while a build works with the state folder, `.manifestUnreachable` if no
    ///   gallery has that name.
    package func run(_ name: Name) throws(GalleryError) -> [String] {
        guard FileManager.default.fileExists(atPath: state.ledger) else {
            // A first build may be at it.
            let isThere = FileManager.default.fileExists(atPath: state.path)
            if isThere { try FolderLock(path: state.lock, holder: holder).release() }
            return try find(name, in: nil).map(Self.line)
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
            for gallery in found { try ledger.forget(gallery) }
        } catch {
            throw GalleryError(error)
        }
        lock.release()
        return found.map(Self.line)
    }

    /// The galleries whose only manifest or whose output folder has the name; if there is none, the galleries with
    /// several manifests, one of which has it.
    private func find(_ name: Name, in ledger: Ledger?) throws(GalleryError) -> [KnownGallery] {
        let all: [KnownGallery]
        do {
            all = try ledger?.galleries() ?? []
        } catch {
            throw GalleryError(error)
        }
        let alone = all.filter { gallery in
            ledger?.has(gallery, manifests: [name.manifest.place]) == true || gallery.key == name.text
                || ledger?.publishes(gallery, to: name.path) == true
        }
        let found = alone.isEmpty ? all.filter { ledger?.has($0, manifest: name.path) == true } : alone
        guard found.isEmpty else { return found }
        let known = all.isEmpty ? "it has none" : "it has " + all.map(Self.line).joined(separator: "; ")
        throw .manifestUnreachable(
            shown: name.manifest.shown,
            detail: "the ledger in \(state.path) has no gallery with this list or site; \(known)")
    }

    /// "/home/me/photos.plist → /home/me/public (12 photos)".
    private static func line(_ gallery: KnownGallery) -> String {
        let list = gallery.manifests.isEmpty ? gallery.key : gallery.manifests.joined(separator: ", ")
        return list + (gallery.output.map { " → \($0)" } ?? "") + " (\(counted(gallery.photos, "photo")))"
    }
}
