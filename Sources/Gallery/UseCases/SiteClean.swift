internal import Foundation
internal import Ledger
internal import PhotoModel
internal import Site

/// `clean`: takes out of an output folder what gallerygen wrote there, by the ledger's list of it, or by what the
/// folder itself shows where there is no list. Nothing in the state folder is removed.
package struct SiteClean {
    /// The result, or the plan of a dry run.
    package struct Outcome {
        /// Paths in the output folder, in the order in which they go.
        package let removed: [String]
        /// Files of ours that somebody has changed since; they stay.
        package let changed: [String]
    }

    private let output: String
    private let state: StateFolder
    private let holder: String
    private let warn: (String) -> Void

    /// - Parameters:
    ///   - output: absolute path.
    ///   - holder: what the lock tells a build about this run.
    package init(output: String, state: StateFolder, holder: String, warn: @escaping (String) -> Void) {
        self.output = output
        self.state = state
        self.holder = holder
        self.warn = warn
    }

    /// Says what `run()` would do.
    package func plan() throws(GalleryError) -> Outcome {
        let cleaner = try cleaner()
        return Outcome(removed: cleaner.files, changed: cleaner.changed)
    }

    /// - Throws: `GalleryError.locked` while a build works on the same output or state folder.
    package func run() throws(GalleryError) -> Outcome {
        let files = FileManager.default
        // The folder is locked even if it has no site yet, because a first build may be making it.
        let hasState = files.fileExists(atPath: state.path)
        let locks = try GalleryLocks(
            state: hasState ? state : nil, output: output, makesOutput: false, holder: holder,
            lockWait: FolderLock.LockWait())
        defer { locks.release() }
        guard files.fileExists(atPath: output) else { return Outcome(removed: [], changed: []) }
        let cleaner = try cleaner()
        do throws(SiteError) {
            try cleaner.remove()
        } catch {
            throw .site(error)
        }
        // The list of files is forgotten last, so that a run that is killed earlier finds it again.
        try forget()
        return Outcome(removed: cleaner.files, changed: cleaner.changed)
    }

    private func cleaner() throws(GalleryError) -> SiteCleaner {
        let owned = try recorded.files()
        do throws(SiteError) {
            return try SiteCleaner(output: output, owned: owned)
        } catch {
            throw .site(error)
        }
    }

    private var recorded: RecordedSite { RecordedSite(output: output, state: state, warn: warn) }

    /// Files that somebody has changed are theirs from now on: the next build names such a file and does not
    /// overwrite it.
    private func forget() throws(GalleryError) {
        guard try recorded.row() != nil else { return }
        do throws(LedgerError) {
            let ledger = try Ledger(path: state.ledger, gallery: "")
            defer { ledger.close() }
            try ledger.forget(site: output)
        } catch {
            throw GalleryError(error)
        }
    }
}
