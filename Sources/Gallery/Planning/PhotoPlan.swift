package import PhotoModel

/// The work for one photo, with the reasons for it. A photo without work has none.
package struct PhotoPlan: Hashable, Sendable {
    /// Why the photo's address is requested.
    package enum FetchReason: Hashable, Sendable {
        /// The photo is new in the list.
        case new
        /// The photo is new in the list, but the original of its address is stored.
        /// `isRequested` says whether the address is revalidated, `isRendered` whether derivatives by the same recipe
        /// exist.
        case knownOriginal(isRequested: Bool, isRendered: Bool)
        /// The photo has another name or album than in the last build; `slug` is the one that it had, or nil if it
        /// stays the same.
        case renamed(slug: String?)
        /// The list has other photos of the same name now, or has none any more, which changes the photo's identity.
        case ambiguityChanged
        case forced
        /// The last attempt failed.
        case failed(ReasonCode)
        /// An earlier picture is shown, because the last attempt failed.
        case stale(ReasonCode)
        case otherAddress
        /// The picture that is shown or withheld came from a mirror, so the addresses before it are tried again.
        case mirrored
        /// The picture came from an archive, so the address is tried again.
        case archived
        /// The address can't be used, for another reason than before.
        case unusable(ReasonCode)
        /// The answer is no longer fresh, so the server might have another picture; `since` is the time of the last
        /// request.
        case unchecked(since: Timestamp)
        /// The answer is still fresh, but the bytes are those of `since` and were expected to change by now.
        case overdue(since: Timestamp)
        /// The list pins other bytes than those that are shown.
        case pinned
        /// The user has accepted a suspicious picture.
        case accepted
        case fileChanged
        case fileGone
        /// The file was modified so shortly before it was read that a later change could have the same time stamp.
        case fileJustModified
        /// The ledger does not know the address.
        case forgotten
        /// The last original that the address delivered was never shown.
        case neverShown
        /// The original is no longer in the store.
        case originalGone
        /// The store of a shared build has another result than the last build. The address is not requested.
        case resultOfShard
    }

    /// Why derivatives are rendered, or why the pictures differ from those of the last build.
    package enum RenderReason: Hashable, Sendable {
        case forced
        /// A setting has changed; `name` is the name of its line in the recipe.
        case setting(name: String, old: String, new: String)
        case otherEncoder
        /// The recipe of the derivatives is unknown.
        case unknownRecipe
        /// This number of derivatives is missing.
        case lost(Int)
        /// The picture has more pixels than the current limit allows.
        case tooManyPixels
    }

    /// A mark that a photo gets or loses although it is neither fetched nor rendered.
    package enum MarkChange: Hashable, Sendable {
        case marked(PhotoMark)
        case unmarked(MarkCode)
    }

    package var fetchReason: FetchReason?
    package var renderReasons: [RenderReason]
    /// Empty for a photo that is fetched or rendered, because its marks follow from the answer.
    package var markChanges: [MarkChange]

    package init(
        fetchReason: FetchReason? = nil, renderReasons: [RenderReason] = [], markChanges: [MarkChange] = []
    ) {
        self.fetchReason = fetchReason
        self.renderReasons = renderReasons
        self.markChanges = markChanges
    }

    package var isNothing: Bool { needsNoOperation && markChanges.isEmpty }

    /// Whether the photo is neither fetched nor rendered.
    var needsNoOperation: Bool { fetchReason == nil && renderReasons.isEmpty }

    /// Whether the picture is expected to change.
    var willChangePicture: Bool {
        switch fetchReason {
        case .new, .knownOriginal, .renamed, .ambiguityChanged, .forced, .otherAddress, .fileChanged, .neverShown,
            .pinned, .accepted:
            true
        default: !renderReasons.isEmpty
        }
    }

    /// Whether derivatives are in no folder.
    var hasLostPictures: Bool {
        renderReasons.contains { if case .lost = $0 { true } else { false } }
    }

    /// Decides which photos are revalidated before the state of the disk is known. These are the photos that are
    /// revalidated whatever that state is, up to the first photo that is downloaded, because requests are sent in the
    /// order of the page.
    /// - Parameter photoPlans: the plans of the first photos of a list, made as if the disk were empty.
    /// - Returns: whether each photo is revalidated early, parallel to the first of the plans.
    package static func revalidatedEarly(_ photoPlans: some Sequence<PhotoPlan>) -> [Bool] {
        photoPlans.prefix { !$0.isToFetch }.map(\.isRevalidationOnly)
    }

    /// Whether an original will be downloaded, or derivatives will be rendered, whatever the state of the disk.
    private var isToFetch: Bool {
        switch fetchReason {
        case .new, .knownOriginal, .renamed, .ambiguityChanged, .forced, .failed, .stale, .otherAddress, .mirrored,
            .archived, .forgotten, .neverShown, .pinned, .accepted:
            true
        default: !renderReasons.isEmpty
        }
    }

    /// Whether a 304 response is enough for the photo to be done.
    var isRevalidationOnly: Bool {
        guard renderReasons.isEmpty else { return false }
        switch fetchReason {
        case .unchecked, .overdue: return true
        default: return false
        }
    }
}

/// The work for the pages that does not follow from the photos, and its reasons.
package enum PublishReason: Hashable, Sendable {
    case forced
    /// Nothing has been published into this folder before.
    case first
    /// The inputs of the published pages are unknown.
    case unknown
    /// An input of all pages has changed; `name` is the name of its line in `SiteInputs`.
    case input(name: String, old: String, new: String)
    /// Photos have changed since the pages were rendered.
    case photosChanged
    /// A published file is missing or has another size.
    case damaged(path: String)
    /// A photo has left the list; `path` is the path of its page.
    case removed(path: String)
    /// A killed build left temporary files behind.
    case temporaryFolders
    /// This number of files of earlier publications has been kept long enough.
    case expired(Int)
    /// The permissions of this number of published files and folders differ from the wanted ones.
    case otherPermissions(Int)
}
