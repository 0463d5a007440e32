internal import Dispatch
package import Downloads
package import Ledger
internal import PhotoModel
internal import Synchronization

/// The work of a build, computed from values before anything is done: the list, the settings, the ledger, the state of
/// the disk, and the time.
package struct Plan: Sendable {
    /// The plans of the photos, parallel to the records.
    package let photos: [PhotoPlan]
    package let site: [PublishReason]
    /// Whether rows must be written although there is no work, because their recipe, slug, key or address differs from
    /// the current one.
    let mustUpdateRows: Bool
    /// The number of files of earlier publications that have been kept long enough (`expired`), and of those that stay
    /// (`retained`).
    let expired: Int
    let retained: Int
    let retainedPictures: [String: Int64]

    /// Whether visitors of a live page will see a picture change.
    var willChangePicture: Bool { photos.contains(where: \.willChangePicture) }

    package var isNothing: Bool { site.isEmpty && photos.allSatisfy(\.isNothing) }

    /// Whether the work probably needs hardly more memory than the plan: few photos have work, apart from
    /// revalidations, and no page changes for another reason than these photos and the list. A changed list counts as
    /// small, although it can change all pages.
    var isSmall: Bool { Self.isSmall(photos, site) }

    package static func isSmall(_ photos: [PhotoPlan], _ site: [PublishReason]) -> Bool {
        photos.count { !$0.isNothing && !$0.isRevalidationOnly } <= min(smallWork, photos.count / 100)
            && site.allSatisfy { reason in
                switch reason {
                case .input(let name, _, _): name == SiteInputs.list
                case .expired, .otherPermissions, .temporaryFolders: true
                case .forced, .first, .unknown, .photosChanged, .damaged, .removed: false
                }
            }
    }

    /// The greatest number of photos with work in a small plan, however long the list is.
    static let smallWork = 100

    /// - Parameters:
    ///   - site: the ledger's row of the output folder, without its files; nil if nothing was ever published there.
    ///   - maxAge: how long an original counts as fresh.
    ///   - realNow: the system's time in seconds since 1970, never a pinned one.
    ///   - now: the time of the build in seconds since 1970, which can be pinned.
    ///   - isForced: whether everything is done again.
    ///   - usesStore: whether the photos have ended with the results of other machines.
    package init(
        records: [PhotoRecord], inputs: SiteInputs, snapshot: LedgerSnapshot, site: SiteRow?, diskState: DiskState,
        maxAge: MaxAge, realNow: Int64, now: Int64, isForced: Bool, usesStore: Bool = false
    ) {
        let middle = records.count / 2
        let parts = [records[..<middle], records[middle...]]
        let plans = Mutex([[PhotoPlan]](repeating: [], count: parts.count))
        // The halves of the list are planned at the same time. A planner belongs to one thread, because it
        // remembers what it has compared.
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            let planner = PhotoPlanner(
                snapshot: snapshot, diskState: diskState, maxAge: maxAge, realNow: realNow, now: now,
                isForced: isForced, usesStore: usesStore)
            let part = parts[number].map { planner.photoPlan(on: $0) }
            plans.withLock { $0[number] = part }
        }
        photos = plans.withLock { Array($0.joined()) }
        mustUpdateRows =
            !usesStore
            && zip(records, photos).contains { record, photoPlan in
                guard photoPlan.needsNoOperation, let row = record.remembered else { return false }
                return row.recipe != record.recipe.text || row.slug != record.slug || row.key != record.key
                    || row.source != record.sourceKey ?? row.source
            }
        expired = diskState.expired
        retained = diskState.retained
        retainedPictures = diskState.retainedPictures
        self.site = Self.site(
            records, inputs: inputs, snapshot: snapshot, site: site, diskState: diskState, isForced: isForced)
    }

    init(
        records: [PhotoRecord], inputs: SiteInputs, snapshot: LedgerSnapshot, site: SiteRow?, diskState: DiskState,
        options: BuildOptions
    ) {
        self.init(
            records: records, inputs: inputs, snapshot: snapshot, site: site, diskState: diskState,
            maxAge: options.maxAge, realNow: options.realNow, now: options.now.seconds, isForced: options.isForced,
            usesStore: options.sharing != nil)
    }

    private static func site(
        _ records: [PhotoRecord], inputs: SiteInputs, snapshot: LedgerSnapshot, site: SiteRow?, diskState: DiskState,
        isForced: Bool
    ) -> [PublishReason] {
        var reasons: [PublishReason] = []
        if isForced { reasons.append(.forced) }
        if let site {
            if let old = site.inputs {
                if old != inputs.text { reasons += inputs.changes(since: old) }
                if site.revision != snapshot.revision { reasons.append(.photosChanged) }
            } else {
                reasons.append(.unknown)
            }
        } else {
            reasons.append(.first)
        }
        let withSamePage = records.count { $0.remembered?.slug == $0.slug }
        if withSamePage < snapshot.photos.count {
            // A photo that moved to another album can have kept its page, and one that was renamed has another.
            let slugs = Set(records.map(\.slug))
            let gone = snapshot.photos.values.filter { !slugs.contains($0.slug) }
                .map { "photo/\($0.slug).html" }
            reasons += gone.sorted().map { .removed(path: $0) }
        }
        reasons += diskState.damaged.sorted().map { .damaged(path: $0) }
        if diskState.hasTemporaryFolders { reasons.append(.temporaryFolders) }
        if diskState.expired > 0 { reasons.append(.expired(diskState.expired)) }
        if diskState.otherPermissions > 0 { reasons.append(.otherPermissions(diskState.otherPermissions)) }
        return reasons
    }
}
