internal import Foundation

/// Brings a target up to date with the site in an output folder: sends what the target lacks, phase by phase, and
/// removes what was part of an earlier site.
///
/// A publication that breaks off anywhere is completed by the next: what is on its way is on the target's list, marked,
/// before it is sent.
package struct SitePublication {
    private let site: LocalSite
    private let target: any PublishTarget
    private let memory: PublicationMemory
    private let options: PublishOptions
    private let tell: (PublishEvent) -> Void
    private let isCancelled: () -> Bool

    /// - Parameters:
    ///   - site: may not change until `run` returns.
    ///   - memory: what this machine remembers of the target.
    ///   - isCancelled: asked between any two files.
    package init(
        _ site: LocalSite, to target: any PublishTarget, memory: PublicationMemory, options: PublishOptions,
        tell: @escaping (PublishEvent) -> Void = { _ in }, isCancelled: @escaping () -> Bool = { false }
    ) {
        self.site = site
        self.target = target
        self.memory = memory
        self.options = options
        self.tell = tell
        self.isCancelled = isCancelled
    }

    /// Does all of it.
    /// - Throws: `PublishError.tooManyRemovals` when everything is sent and nothing was removed.
    package func run() throws(PublishError) -> PublishReport {
        let files = try site.files()
        let remembered = try memory.read()
        if !options.verifies, let remembered, offlinePlan(files, remembered).isDone(remembered) {
            return PublishReport(kept: offlinePlan(files, remembered).kept)
        }
        let (list, asked) = try plan(files, remembered)
        var plan = asked
        let withheld = plan.removals.count > options.maxDelete ? plan.removals.count : 0
        if withheld > 0 { plan.withholdRemovals() }
        if !plan.isDone(list) {
            try carryOut(plan, replacing: list)
        } else if remembered != list {
            try memory.write(plan.result)
        }
        if withheld > 0 {
            throw .tooManyRemovals(target: target.shown, removals: withheld, limit: options.maxDelete)
        }
        return PublishReport(sent: plan.sends, removed: plan.removals, kept: plan.kept)
    }

    /// Says what `run` would do, and changes nothing.
    package func planned() throws(PublishError) -> PublicationPlan {
        let files = try site.files()
        return try plan(files, memory.read()).plan
    }

    /// What has to be done by what this machine remembers, without asking the target.
    package func remembered() throws(PublishError) -> PublicationPlan {
        offlinePlan(try site.files(), try memory.read() ?? PublishedList())
    }

    private func offlinePlan(_ files: [OutgoingFile], _ list: PublishedList) -> PublicationPlan {
        PublicationPlan(site: files, list: list, retention: options.retention)
    }

    /// Asks the target for its list, and for what the list does not tell.
    private func plan(
        _ files: [OutgoingFile], _ remembered: PublishedList?
    ) throws(PublishError) -> (list: PublishedList, plan: PublicationPlan) {
        var list = PublishedList()
        if let bytes = try target.readList() {
            guard let read = PublishedList(bytes) else {
                throw .foreign(target: target.shown, path: PublishedList.fileName, count: 1)
            }
            list = read
        } else if let remembered, remembered.entries.values.contains(where: { !$0.isPending }), !options.verifies {
            // Nothing is sent to the empty mount point of a disk that is not there.
            throw .forgotten(target: target.shown)
        }
        try checkInterruption()
        let first = offlinePlan(files, list)
        let questions = options.verifies ? files : first.unknown
        guard !questions.isEmpty else { return (list, first) }
        let found = try target.find(questions)
        let plan = PublicationPlan(site: files, list: list, found: found, retention: options.retention)
        if let path = plan.foreign.first {
            throw .foreign(target: target.shown, path: path, count: plan.foreign.count)
        }
        return (list, plan)
    }

    private func carryOut(_ plan: PublicationPlan, replacing list: PublishedList) throws(PublishError) {
        try site.check(plan.sends)
        try checkInterruption()
        tell(.began(plan.sends.count + plan.removals.count))
        let isListed = plan.sends.isEmpty && plan.removals.isEmpty
        if !isListed {
            // First on this machine: what was remembered until now is no longer true from the first file on.
            try memory.write(plan.claims)
            try writeList(plan.claims, unlessIs: list)
        }
        for phase in PublishPhase.allCases {
            let files = plan.sends.filter { $0.phase == phase }
            guard !files.isEmpty else { continue }
            try checkInterruption()
            try target.send(files) { tell(.sent($0.path)) }
        }
        if !plan.removals.isEmpty {
            try checkInterruption()
            try target.remove(plan.removals)
            for path in plan.removals { tell(.removed(path)) }
        }
        try writeList(plan.result, unlessIs: isListed ? list : plan.claims)
        try memory.write(plan.result)
    }

    private func writeList(_ list: PublishedList, unlessIs known: PublishedList) throws(PublishError) {
        if list != known { try target.writeList(list.bytes) }
    }

    private func checkInterruption() throws(PublishError) {
        if isCancelled() { throw .interrupted }
    }
}

/// What a publication may do.
package struct PublishOptions: Sendable {
    package var retention: PublishRetention
    /// The most files that are removed.
    package var maxDelete: Int
    /// Whether the target is asked for every file.
    package var verifies: Bool

    package init(retention: PublishRetention, maxDelete: Int = 256, verifies: Bool = false) {
        self.retention = retention
        self.maxDelete = maxDelete
        self.verifies = verifies
    }
}

/// What happens in a publication.
package enum PublishEvent: Sendable {
    /// The number of files to send and to remove.
    case began(Int)
    case sent(String)
    case removed(String)
}

/// What a publication has changed at its target.
package struct PublishReport: Sendable {
    package var sent: [OutgoingFile] = []
    package var removed: [String] = []
    /// The number of files that stay though nothing refers to them.
    package var kept = 0

    package var changedNothing: Bool { sent.isEmpty && removed.isEmpty }
}
