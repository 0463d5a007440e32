internal import Foundation
internal import ObjectStore

/// Brings a target up to date with the site in an output folder: sends missing and changed files, phase by phase, and
/// removes files that are no longer part of the site.
///
/// If a publication breaks off, the next one completes it, because files are marked as pending on the target's list
/// before they are sent or removed.
package struct SitePublication {
    private let site: LocalSite
    private let target: any PublishTarget
    private let cache: PublishedListCache
    private let options: PublishOptions
    private let emit: (PublishEvent) -> Void
    private let isCancelled: () -> Bool

    /// - Parameters:
    ///   - site: the site, which must not change until `run` returns.
    ///   - cache: this machine's copy of the target's list.
    ///   - isCancelled: a closure that is called between steps and tells whether to stop.
    package init(
        _ site: LocalSite, to target: any PublishTarget, cache: PublishedListCache, options: PublishOptions,
        emit: @escaping (PublishEvent) -> Void = { _ in }, isCancelled: @escaping () -> Bool = { false }
    ) {
        self.site = site
        self.target = target
        self.cache = cache
        self.options = options
        self.emit = emit
        self.isCancelled = isCancelled
    }

    /// Publishes the site.
    package func run() throws(PublishError) -> PublishReport {
        let files = try site.files()
        let remembered = try cache.read()
        // The target can be the empty mount point of a disk that is not mounted.
        let isAsked = options.verifies || target.isListMissing
        if !isAsked, let remembered, offlinePlan(files, remembered).isDone(remembered) {
            return PublishReport(retained: offlinePlan(files, remembered).retained)
        }
        let (list, asked) = try plan(files, remembered)
        try refuseStore()
        var plan = asked
        let problem = withholdExcessiveRemovals(of: &plan, isDryRun: false)
        if !plan.isDone(list) {
            try carryOut(plan, replacing: list)
        } else if remembered != list {
            try cache.write(plan.result)
        }
        let corrected = options.verifies ? try target.correctPermissions(of: files) : 0
        return PublishReport(
            sent: plan.sends, sentBefore: plan.sentBefore, removed: plan.removals, retained: plan.retained,
            corrected: corrected, problem: problem)
    }

    /// The plan that `run` would carry out, and the problem that it would report. The target is asked, and nothing is
    /// changed.
    package func planned() throws(PublishError) -> (plan: PublicationPlan, problem: PublishError?) {
        let files = try site.files()
        var plan = try plan(files, cache.read()).plan
        try refuseStore()
        try target.checkDestinations(of: plan.sends)
        let problem = withholdExcessiveRemovals(of: &plan, isDryRun: true)
        return (plan, problem)
    }

    /// The plan that follows from this machine's copy of the list, without a query of the target.
    package func remembered() throws(PublishError) -> PublicationPlan {
        offlinePlan(try site.files(), try cache.read() ?? PublishedList())
    }

    private func offlinePlan(_ files: [OutgoingFile], _ list: PublishedList) -> PublicationPlan {
        PublicationPlan(site: files, list: list, retention: options.retention)
    }

    /// Takes the removals out of a plan that has more of them than allowed.
    /// - Returns: `PublishError.tooManyRemovals`; nil if the removals are allowed.
    private func withholdExcessiveRemovals(of plan: inout PublicationPlan, isDryRun: Bool) -> PublishError? {
        let count = plan.removals.count
        guard count > options.maxDelete else { return nil }
        plan.withholdRemovals()
        return .tooManyRemovals(
            target: target.shown, removals: count, limit: options.maxDelete, isDryRun: isDryRun)
    }

    /// Reads the target's list, and asks the target for files that the list does not vouch for.
    private func plan(
        _ files: [OutgoingFile], _ remembered: PublishedList?
    ) throws(PublishError) -> (list: PublishedList, plan: PublicationPlan) {
        var list = PublishedList()
        if let bytes = try target.readList() {
            guard let read = PublishedList(bytes) else {
                throw .foreign(target: target.shown, path: PublishedList.fileName, count: 1)
            }
            list = read
            try checkSite(files, list, remembered)
        } else if let remembered, remembered.entries.values.contains(where: { !$0.isPending }) {
            guard options.verifies else { throw .forgotten(target: target.shown) }
            // The remembered files are ours, so they can be overwritten if they are still there.
            list = remembered.pending
        }
        try checkInterruption()
        let unreported = remembered?.pendingPaths ?? []
        let first = PublicationPlan(site: files, list: list, unreported: unreported, retention: options.retention)
        let questions = options.verifies ? files : first.unknown
        guard !questions.isEmpty else { return (list, first) }
        let found = try target.find(questions)
        let plan = PublicationPlan(
            site: files, list: list, unreported: unreported, found: found, retention: options.retention)
        if let path = plan.foreign.first {
            throw .foreign(target: target.shown, path: path, count: plan.foreign.count)
        }
        return (list, plan)
    }

    /// Makes sure that the site at the target is not another gallery's, whose pages would be removed. The list of a
    /// target to which this gallery has published is not checked, because a gallery can change all of its photos.
    /// - Throws: `PublishError.otherSite` if the site has less than half of the list's photo pages. Photos of different
    ///   galleries can have the same name.
    private func checkSite(
        _ files: [OutgoingFile], _ list: PublishedList, _ remembered: PublishedList?
    ) throws(PublishError) {
        guard remembered == nil, !options.verifies else { return }
        let pages = list.photoPages
        let shared = files.count { pages.contains($0.path) }
        guard shared * 2 < pages.count else { return }
        throw .otherSite(target: target.shown, pages: pages.count)
    }

    /// Makes sure that the target is not the store of a shared build. The pictures there have the names and the content
    /// of the site's, so they would be taken over as the site's own, and later be removed.
    private func refuseStore() throws(PublishError) {
        guard try target.isStore() else { return }
        throw .unsuitable(
            target: target.shown,
            why: "is the store of a shared build (\(StoreRecords.prefix) has its records); name another target")
    }

    private func carryOut(_ plan: PublicationPlan, replacing list: PublishedList) throws(PublishError) {
        try site.check(plan.sends)
        try target.checkDestinations(of: plan.sends)
        try checkInterruption()
        emit(.began(plan.sends.count + plan.removals.count))
        let isListed = plan.sends.isEmpty && plan.removals.isEmpty
        if !isListed {
            // The target's list comes first: the cache says that this gallery has published there, so that the target
            // isn't checked for another gallery's site any more. The cache is written before the first file is sent,
            // because the old one is wrong then.
            try writeList(plan.claims, unlessIs: list)
            try cache.write(plan.claims)
        }
        for phase in PublishPhase.allCases {
            let files = plan.sends.filter { $0.phase == phase }
            guard !files.isEmpty else { continue }
            try checkInterruption()
            try target.send(files) { emit(.sent($0.path)) }
        }
        if !plan.removals.isEmpty {
            try checkInterruption()
            try target.remove(plan.removals)
            for path in plan.removals { emit(.removed(path)) }
        }
        try writeList(plan.result, unlessIs: isListed ? list : plan.claims)
        try cache.write(plan.result)
    }

    private func writeList(_ list: PublishedList, unlessIs known: PublishedList) throws(PublishError) {
        if list != known { try target.writeList(list.bytes) }
    }

    private func checkInterruption() throws(PublishError) {
        if isCancelled() { throw .interrupted }
    }
}

/// The options of a publication.
package struct PublishOptions: Sendable {
    package var retention: PublishRetention
    /// The most files that may be removed.
    package var maxDelete: Int
    /// Whether every file at the target is checked.
    package var verifies: Bool

    package init(retention: PublishRetention, maxDelete: Int = 256, verifies: Bool = false) {
        self.retention = retention
        self.maxDelete = maxDelete
        self.verifies = verifies
    }
}

/// A step of a publication, for progress messages.
package enum PublishEvent: Sendable {
    /// The files to send and to remove are known; the value is their number.
    case began(Int)
    case sent(String)
    case removed(String)
}

/// The changes of a publication at its target.
package struct PublishReport: Sendable {
    package var sent: [OutgoingFile] = []
    /// Files that an earlier publication had sent before it broke off.
    package var sentBefore: [OutgoingFile] = []
    package var removed: [String] = []
    /// The number of files that are kept although nothing refers to them any more.
    package var retained = 0
    /// The number of files and folders at the target whose permissions were corrected.
    package var corrected = 0
    /// Why no file was removed although all files were sent: `PublishError.tooManyRemovals`, or nil.
    package var problem: PublishError?

    package var changedNothing: Bool { sent.isEmpty && removed.isEmpty && corrected == 0 }
}
