internal import Foundation
package import Importing
internal import Ledger
package import Manifest
package import ObjectStore
package import Publish
package import Site

/// Errors that end a build, a check or a status report. The failure of a single photo is a value and never one of
/// these.
package enum GalleryError: Error {
    /// A manifest cannot be read at all, and there is no good copy of it.
    case manifestUnreachable(shown: String, detail: String)
    case manifest(ManifestError)
    /// The source of a list has no usable photo, or can't be read.
    case source(shown: String, ImportError)
    /// The manifests list no photo, which would empty the site.
    case noPhotos(shown: String)
    /// A photo's own filter chain is invalid.
    case filter(TextPosition, detail: String)
    /// The output folder, its files or the templates can't be used.
    case site(SiteError)
    /// The state folder or a file in it cannot be read or written.
    case storage(path: String, StorageFailure)
    /// The file is damaged or is not a ledger. It can be set aside and rebuilt.
    case damagedLedger(path: String, detail: String)
    /// Another build is using this state folder; `holder` is that build's description of itself.
    case locked(path: String, holder: String)
    case interrupted
    /// The site could not be published.
    case publish(PublishError)
    /// The store of a shared build failed.
    case store(shown: String, ObjectStoreError)
    /// The store of a shared build would be mixed with a site or a state folder. `why` is the rest of a sentence that
    /// begins with the store.
    case unsuitableStore(shown: String, why: String)
    /// The store has no result for any photo of the list with these settings, which would empty the site.
    case noResults(shown: String)
    /// The options could not be resolved again after a wait. The error belongs to the program, which alone understands
    /// it.
    case options(any Error)
    /// A state that should be impossible was reached.
    case bug(String)
}

extension GalleryError {
    /// The message while the program waits for another process to release its lock.
    package var waitMessage: String {
        guard case .locked(let path, let holder) = self else { return message }
        return "another build is using \(path): \(holder)"
    }

    var isDamage: Bool { if case .damagedLedger = self { true } else { false } }

    /// The message for people: what happened, where, and what to do, in one or two sentences.
    package var message: String {
        switch self {
        case .manifestUnreachable(let shown, let detail): "\(shown): \(detail)"
        case .manifest(let error): error.description
        case .source(let shown, let error): error.message(for: shown)
        case .noPhotos(let shown):
            "\(shown) lists no photos, which would empty the site; use --allow-empty to allow it"
        case .filter(let position, let detail): "\(position): \(detail)"
        case .site(let error): error.description
        case .storage(let path, let failure): "\(path): \(failure.message(at: path))"
        case .damagedLedger(let path, let detail): "\(path): \(detail)"
        case .locked: waitMessage + "; use --wait 10m to wait for it"
        case .publish(let error): error.message
        case .store(let shown, let error): error.message.contains(shown) ? error.message : "\(shown): \(error.message)"
        case .unsuitableStore(let shown, let why): "the store \(shown) \(why)"
        case .noResults(let shown):
            "\(shown) has no result for any photo of the list with these settings of pictures, which would empty the "
                + "site; run the shards, or use --allow-empty to allow it"
        case .interrupted: "interrupted; the site has not changed, and finished downloads are kept"
        case .options(let error): String(describing: error)
        case .bug(let detail): "internal error: \(detail)"
        }
    }
}

extension GalleryError {
    init(_ error: LedgerError) {
        switch error {
        case .unreadable(let path, let detail): self = .damagedLedger(path: path, detail: detail)
        case .storage(let path, let detail, let isDiskFull):
            self = .storage(path: path, StorageFailure(detail: detail, isDiskFull: isDiskFull))
        case .denied(let path): self = .storage(path: path, .system(errno: EACCES))
        case .bug(let detail): self = .bug("the ledger: \(detail)")
        }
    }
}
