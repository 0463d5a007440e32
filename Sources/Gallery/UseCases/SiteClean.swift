internal import Foundation
internal import Ledger
internal import ObjectStore
internal import PhotoModel
internal import Site

/// `clean`: removes the files that gallerygen wrote in an output folder. They are listed in the ledger; if no ledger
/// lists them, the folder itself shows which they are. Nothing in the state folder is removed.
package struct SiteClean {
    /// The result, or the plan of a dry run.
    package struct Outcome {
        /// The paths relative to the output folder, in the order in which they are removed.
        package let removed: [String]
        /// The files that were changed after gallerygen wrote them. They stay.
        package let changed: [String]
    }

    private let output: String
    private let state: StateFolder
    private let holder: String
    private let warn: (String) -> Void

    /// - Parameters:
    ///   - output: the absolute path of the output folder.
    ///   - holder: the description of this run that the lock gives to a build.
    package init(output: String, state: StateFolder, holder: String, warn: @escaping (String) -> Void) {
        self.output = output
        self.state = state
        self.holder = holder
        self.warn = warn
    }

    /// Finds out what `run()` would do.
    package func plan() throws(GalleryError) -> Outcome {
        try refuseStore()
        let cleaner = try cleaner()
        return Outcome(removed: cleaner.files, changed: cleaner.changed)
    }

    /// - Throws: `GalleryError.locked` while a build is using the same output or state folder.
    package func run() throws(GalleryError) -> Outcome {
        try refuseStore()
        let files = FileManager.default
        // The folder is locked even if it has no site yet, because a first build might be creating it.
        let hasState = files.fileExists(atPath: state.path)
        let locks = try GalleryLocks(
            state: hasState ? state : nil, output: output, createsOutput: false, holder: holder,
            lockWait: FolderLock.LockWait())
        defer { locks.release() }
        guard files.fileExists(atPath: output) else { return Outcome(removed: [], changed: []) }
        let cleaner = try cleaner()
        do throws(SiteError) {
            try cleaner.remove()
        } catch {
            throw .site(error)
        }
        // The list of files is removed last, so that a run that is killed before that can be repeated.
        try forget()
        return Outcome(removed: cleaner.files, changed: cleaner.changed)
    }

    /// An earlier version of gallerygen could build a site in a store, whose pictures it took for the site's own.
    private func refuseStore() throws(GalleryError) {
        guard StoreRecords.exist(inFolder: output) else { return }
        throw .site(
            .unsuitable(path: output, why: "is the store of a shared build, of which nothing is removed"))
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

    /// Removes the list of the site's files from the ledger. Files that the user has changed then belong to the user:
    /// the next build reports such a file and does not overwrite it.
    private func forget() throws(GalleryError) {
        guard try recorded.row() != nil else { return }
        do throws(LedgerError) {
            let ledger = try Ledger(path: state.ledger)
            defer { ledger.close() }
            try ledger.forget(site: output)
        } catch {
            throw GalleryError(error)
        }
    }
}
