internal import Ledger
internal import PhotoModel
internal import Site

/// The files in an output folder that are ours: by the ledger's list of them, or by what the folder itself shows where
/// there is no list.
struct RecordedSite {
    let output: String
    let state: StateFolder
    let warn: (String) -> Void

    func files() throws(GalleryError) -> [String: OwnedFile] {
        if let known = try row()?.owned { return known }
        do throws(SiteError) {
            return try adoptableFiles(in: output)
        } catch {
            throw .site(error)
        }
    }

    /// - Returns: nil if there is no ledger, or none that can be read, or it does not know the folder.
    func row() throws(GalleryError) -> SiteRow? {
        do throws(LedgerError) {
            return try Ledger(reading: state.ledger)?.site(output: output)
        } catch {
            guard case .unreadable(_, let detail) = error else { throw GalleryError(error) }
            warn("the ledger can't be read (\(detail)); the files of the site are found from the site itself")
            return nil
        }
    }
}
