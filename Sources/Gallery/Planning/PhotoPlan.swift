package import PhotoModel

/// What a build has to do for one photo, and why: nothing, where both are empty.
package struct PhotoPlan: Hashable, Sendable {
    /// Why its address is asked.
    package enum FetchReason: Hashable, Sendable {
        /// It was not in the list before.
        case new
        /// It was not in the list under this name or in this album, but what its address gives is there; `isAsked`:
        /// whether the address is asked if there is news, `isMade`: whether there are derivatives of it by the same
        /// recipe.
        case elsewhere(isAsked: Bool, isMade: Bool)
        case forced
        /// The last try failed.
        case failed(ReasonCode)
        /// The picture shown is an earlier one, because the last try failed.
        case stale(ReasonCode)
        case otherAddress
        /// The address cannot be used, for another reason than was known.
        case unusable(ReasonCode)
        /// The server may have another picture by now; `since` it was last asked.
        case unchecked(since: Timestamp)
        case fileChanged
        case fileGone
        /// When the file was read it was so young that it could have changed again unseen.
        case fileWasYoung
        /// Nothing is remembered of the address.
        case forgotten
        /// What the address gave last was never shown.
        case neverShown
        /// The original is not in the store any more.
        case originalGone
    }

    /// Why its derivatives are made, or its pictures are others than before.
    package enum RenderReason: Hashable, Sendable {
        case forced
        /// Another setting, by the name of its line in the recipe.
        case setting(name: String, old: String, new: String)
        case otherEncoder
        /// By what they were made is not remembered.
        case unknownRecipe
        /// So many of them are gone.
        case lost(Int)
        /// The picture has more pixels than are allowed now.
        case tooManyPixels
    }

    package var asking: FetchReason?
    package var making: [RenderReason]

    package init(asking: FetchReason? = nil, making: [RenderReason] = []) {
        self.asking = asking
        self.making = making
    }

    package var isNothing: Bool { asking == nil && making.isEmpty }

    /// Whether its picture is going to be another one, as far as anybody can tell.
    var willChangePicture: Bool {
        switch asking {
        case .new, .elsewhere, .forced, .otherAddress, .fileChanged, .neverShown: true
        default: !making.isEmpty
        }
    }

    /// Whether pictures of it stand nowhere any more.
    var hasLostPictures: Bool {
        making.contains { if case .lost = $0 { true } else { false } }
    }

    /// Which photos may be asked about before it is known what stands on the disk: those that are asked in any case,
    /// down to the first that is to be fetched, as servers are asked in the order of the page.
    /// - Parameter photoPlans: on the first photos of a list, as if nothing stood there.
    /// - Returns: parallel to the first of them.
    package static func askedEarly(_ photoPlans: some Sequence<PhotoPlan>) -> [Bool] {
        photoPlans.prefix { !$0.isToFetch }.map(\.isRevalidationOnly)
    }

    /// Whether an original is to come, or derivatives are to be made of one, whatever stands on the disk.
    private var isToFetch: Bool {
        switch asking {
        case .new, .elsewhere, .forced, .failed, .stale, .otherAddress, .forgotten, .neverShown: true
        default: !making.isEmpty
        }
    }

    /// Whether the photo is done if its address has no news.
    var isRevalidationOnly: Bool {
        guard making.isEmpty, case .unchecked = asking else { return false }
        return true
    }
}

/// What a build has to do for the pages, beside what follows from the photos, and why.
package enum SiteVerdict: Hashable, Sendable {
    case forced
    /// Nothing was ever published into this folder.
    case first
    /// What the pages were made from is not remembered.
    case unknown
    /// Something that all pages are made from, by the name of its line in `SiteInputs`.
    case input(name: String, old: String, new: String)
    /// Photos have changed since the pages were made.
    case photosChanged
    /// A file of ours is not as it was written.
    case damaged(path: String)
    /// A photo left the list.
    case removed(path: String)
    /// What a killed build left.
    case leftovers
    /// So many files and folders of ours have other permissions than they are to have.
    case otherPermissions(Int)
}
