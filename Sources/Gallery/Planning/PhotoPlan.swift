package import PhotoModel

/// The work for one photo, and its reasons. Both are empty if there is none.
package struct PhotoPlan: Hashable, Sendable {
    /// Why the photo's address is requested.
    package enum FetchReason: Hashable, Sendable {
        /// The photo is new in the list.
        case new
        /// The photo was not in the list under this name or in this album, but the original of its address is stored;
        /// `isAsked`: whether the address is asked if there is news, `isMade`: whether there are derivatives of it by
        /// the same recipe.
        case elsewhere(isAsked: Bool, isMade: Bool)
        case forced
        /// The last attempt failed.
        case failed(ReasonCode)
        /// The picture shown is an earlier one, because the last attempt failed.
        case stale(ReasonCode)
        case otherAddress
        /// The address can't be used, for another reason than before.
        case unusable(ReasonCode)
        /// The server may have another picture by now; `since` is the time of the last request.
        case unchecked(since: Timestamp)
        case fileChanged
        case fileGone
        /// The file was modified so shortly before it was read that a later change may have the same time stamp.
        case fileWasYoung
        /// The ledger does not know the address.
        case forgotten
        /// The last original of the address was never shown.
        case neverShown
        /// The original is not in the store any more.
        case originalGone
    }

    /// Why derivatives are rendered, or why the pictures differ from those before.
    package enum RenderReason: Hashable, Sendable {
        case forced
        /// Another setting, by the name of its line in the recipe.
        case setting(name: String, old: String, new: String)
        case otherEncoder
        /// The recipe of the derivatives is unknown.
        case unknownRecipe
        /// That many derivatives are missing.
        case lost(Int)
        /// The picture has more pixels than are allowed now.
        case tooManyPixels
    }

    package var fetchReason: FetchReason?
    package var renderReasons: [RenderReason]

    package init(fetchReason: FetchReason? = nil, renderReasons: [RenderReason] = []) {
        self.fetchReason = fetchReason
        self.renderReasons = renderReasons
    }

    package var isNothing: Bool { fetchReason == nil && renderReasons.isEmpty }

    /// Whether the picture is expected to change.
    var willChangePicture: Bool {
        switch fetchReason {
        case .new, .elsewhere, .forced, .otherAddress, .fileChanged, .neverShown: true
        default: !renderReasons.isEmpty
        }
    }

    /// Whether derivatives are missing from all folders.
    var hasLostPictures: Bool {
        renderReasons.contains { if case .lost = $0 { true } else { false } }
    }

    /// The photos that may be revalidated before the state of the disk is known: those that are revalidated in any
    /// case, down to the first that is downloaded, because servers are asked in the order of the page.
    /// - Parameter photoPlans: on the first photos of a list, as if nothing stood there.
    /// - Returns: parallel to the first of them.
    package static func revalidatedEarly(_ photoPlans: some Sequence<PhotoPlan>) -> [Bool] {
        photoPlans.prefix { !$0.isToFetch }.map(\.isRevalidationOnly)
    }

    /// Whether an original will be downloaded, or derivatives rendered, whatever the state of the disk.
    private var isToFetch: Bool {
        switch fetchReason {
        case .new, .elsewhere, .forced, .failed, .stale, .otherAddress, .forgotten, .neverShown: true
        default: !renderReasons.isEmpty
        }
    }

    /// Whether only a 304 is needed for the photo to be done.
    var isRevalidationOnly: Bool {
        guard renderReasons.isEmpty, case .unchecked = fetchReason else { return false }
        return true
    }
}

/// The work for the pages that does not follow from the photos, and its reasons.
package enum SiteVerdict: Hashable, Sendable {
    case forced
    /// Nothing was ever published into this folder.
    case first
    /// The inputs of the published pages are unknown.
    case unknown
    /// An input of all pages changed, given by the name of its line in `SiteInputs`.
    case input(name: String, old: String, new: String)
    /// Photos have changed since the pages were rendered.
    case photosChanged
    /// A published file is missing or has another size.
    case damaged(path: String)
    /// A photo left the list.
    case removed(path: String)
    /// A killed build left temporary files.
    case leftovers
    /// The number of files of earlier publications that have been kept long enough.
    case expired(Int)
    /// The number of our files and folders that have other permissions than the wanted ones.
    case otherPermissions(Int)
}
