internal import Foundation
internal import PhotoModel

/// The texts of `--explain`. No other file contains them.
extension PhotoPlan {
    /// The reasons in words: "new", or "filter sepia(0.8) → sepia(0.6), quality 82 → 90".
    package var explanation: String {
        var explanations = renderReasons.map(\.explanation) + markChanges.map(\.explanation)
        if let fetchReason {
            // New and forced photos are rendered in any case.
            if fetchReason.appliesToAllPhotos { explanations = [] }
            explanations.insert(fetchReason.explanation, at: 0)
        }
        return explanations.joined(separator: ", ")
    }

    /// The steps of the work, one word for each.
    package var work: String {
        let steps: [String] =
            switch fetchReason {
            case nil where needsNoOperation: ["mark"]
            case nil: ["filter"]
            case .overdue: ["revalidate"]
            case .unchecked where renderReasons.isEmpty: ["revalidate"]
            case .unchecked: ["revalidate", "filter"]
            case .resultOfShard: ["page"]
            case .unusable: ["placeholder"]
            case .knownOriginal(isRequested: true, isRendered: false): ["revalidate", "filter"]
            case .knownOriginal(isRequested: true, isRendered: true): ["revalidate"]
            case .knownOriginal(isRequested: false, isRendered: false): ["filter"]
            case .knownOriginal(isRequested: false, isRendered: true), .renamed, .ambiguityChanged:
                ["page"]
            case .fileChanged, .fileGone, .fileJustModified, .neverShown: ["read", "filter"]
            default: ["download", "filter"]
            }
        return steps.joined(separator: ", ")
    }
}

extension PhotoPlan.FetchReason {
    /// Whether this reason makes the reasons for rendering redundant.
    fileprivate var appliesToAllPhotos: Bool {
        switch self {
        case .new, .forced, .knownOriginal: true
        default: false
        }
    }

    fileprivate var explanation: String {
        switch self {
        case .new, .knownOriginal: "new"
        // The ledger has no name of a photo, only the slug made of it.
        case .renamed(let slug): "has another name or album" + (slug.map { ", was photo/\($0).html" } ?? "")
        case .ambiguityChanged: "its name became unique or ambiguous"
        case .forced: "forced"
        case .failed(let code): "the last attempt failed (\(code.rawValue)), trying again"
        case .stale(let code): "could not be refreshed (\(code.rawValue)), trying again"
        case .otherAddress: "the address changed"
        case .archived: "came from an archive, trying its address again"
        case .mirrored: "came from a mirror, trying the first address again"
        case .unusable(let code): "the address can't be used (\(code.rawValue))"
        case .unchecked(let since): "not checked since \(since), revalidating"
        case .overdue(let since): "not changed since \(since), which is longer than expected, revalidating"
        case .pinned: "the list pins other bytes"
        case .accepted: "the new picture was accepted"
        case .fileChanged: "the file changed"
        case .fileGone: "the file is gone"
        case .fileJustModified: "the file was very new when it was read, checking it again"
        case .forgotten: "no download of the address is recorded"
        case .neverShown: "the last download has not been published yet"
        case .resultOfShard: "a shard has another result"
        case .originalGone: "the original is missing from the store"
        }
    }
}

extension PhotoPlan.RenderReason {
    /// The current and the previous default of `--widths`, as recipes contain them.
    private static let defaultWidths = (now: "400, 800, 1600", before: "320, 800, 1600")

    fileprivate var explanation: String {
        switch self {
        case .forced: "forced"
        case .setting("widths", Self.defaultWidths.before, Self.defaultWidths.now):
            "default widths are \(Self.defaultWidths.now) now (were \(Self.defaultWidths.before))"
        case .setting(let name, let old, let new): "\(name) \(old) → \(new)"
        case .otherEncoder: "the encoder changed"
        case .unknownRecipe: "the settings of its derivatives are unknown"
        case .lost(let count): count == 1 ? "a derivative is missing" : "\(count) derivatives are missing"
        case .tooManyPixels: "it exceeds the limit on pixels"
        }
    }
}

extension PhotoPlan.MarkChange {
    fileprivate var explanation: String {
        switch self {
        case .marked(let mark): "\(mark.code.rawValue) since \(mark.since): \(mark.message)"
        case .unmarked(let code): "no longer \(code.rawValue)"
        }
    }
}

extension PublishReason {
    /// The options whose names differ from the names of their lines.
    private static let options = ["perPage": "per-page", "baseURL": "base-url"]

    /// The reason in words: "pages: the templates changed", or "index.html: missing or damaged".
    package var explanation: String {
        switch self {
        case .forced: "pages: forced"
        case .first: "pages: nothing has been published here before"
        case .unknown: "pages: their inputs are unknown"
        case .input(SiteInputs.templates, _, _): "pages: the templates changed"
        case .input(SiteInputs.list, _, _): "pages: the list changed"
        case .input(SiteInputs.ratings, _, _): "pages: the ratings changed"
        case .input(let name, let old, let new): "pages: \(Self.options[name] ?? name) \(old) → \(new)"
        case .photosChanged: "pages: photos have changed"
        case .damaged(let path): "\(path): missing or damaged"
        case .removed(let path): "\(path): no longer in the list"
        case .temporaryFolders: "site: an interrupted build left temporary files"
        case .expired(let count):
            "site: \(count) \(count == 1 ? "file" : "files") of earlier publications "
                + "\(count == 1 ? "has" : "have") been kept long enough"
        case .otherPermissions(let count):
            "site: \(count) \(count == 1 ? "file or folder has" : "files and folders have") "
                + "permissions that differ from --mode"
        }
    }

    /// The work for the pages, in two words.
    package var work: String {
        switch self {
        case .otherPermissions: "site: permissions"
        case .expired: "site: remove old files"
        default: "pages: publish"
        }
    }
}
