internal import Downloads
internal import Foundation
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Site

/// The plan of a build, and nothing more: no folder is made, no file is written, no photo is asked for. A manifest
/// from a URL is fetched, and not kept.
package struct DryRun {
    private let options: BuildOptions
    private let warn: (String) -> Void
    private let remark: (String) -> Void

    /// - Parameters:
    ///   - warn: told of what somebody should see to.
    ///   - remark: told of what looks like a slip in a manifest.
    package init(
        _ options: BuildOptions, warn: @escaping (String) -> Void, remark: @escaping (String) -> Void = { _ in }
    ) {
        self.options = options
        self.warn = warn
        self.remark = remark
    }

    /// - Throws: `GalleryError` for what would also stop a build before it begins.
    package func run() throws(GalleryError) -> PlanReport {
        let local = try ManifestInput.localBytes(of: options.manifests)
        try OutputFolderCheck(output: options.output, state: options.state.path, homes: options.homes).check()
        let memory = try BuildHistory(options, warn: warn)
        let (ledger, site) = (memory.ledger, memory.site)
        var snapshot = memory.snapshot
        try refuseForeignSite(in: options.output, ledger: site == nil ? nil : ledger)
        let scratch = ScratchDownloads(options)
        defer { scratch.remove() }
        let read = try ManifestInput.read(options.manifests, local: local) { input throws(GalleryError) in
            do throws(GalleryError) {
                return try scratch.fetch(input, after: snapshot)
            } catch .manifestUnreachable(let shown, let detail) {
                return try keptCopy(of: input, snapshot, shown: shown, detail: detail)
            }
        }
        let list = try PhotoList(read, allowsEmpty: options.allowsEmpty)
        for warning in list.manifest.warnings { remark(warning.description) }
        let inputs = try SiteInputs(
            settings: options.siteSettings(list), templates: options.templates, ratings: options.ratings,
            manifests: read)
        if snapshot.photos.isEmpty { snapshot.photos = try memory.earlierRows(of: list) }
        let records = list.records(options: options.derivatives, snapshot: snapshot)
        let diskScan = DiskScan(
            state: options.state, output: options.output, permissions: options.permissions, ledger: ledger,
            snapshot: snapshot, site: site)
        let plan = Plan(
            records: records, inputs: inputs, snapshot: snapshot, site: site,
            diskState: try diskScan.diskState(for: records), maxAge: options.maxAge,
            now: options.startedAt / 1_000_000_000, isForced: options.isForced)
        return PlanReport(records: records, plan: plan)
    }

    /// As in a build, the last good copy is used while the URL of a manifest fails.
    private func keptCopy(
        of input: ManifestInput, _ snapshot: LedgerSnapshot, shown: String, detail: String
    ) throws(GalleryError) -> ManifestBytes {
        let store = OriginalStore(reading: options.state.originals)
        guard let copy = try input.lastGoodCopy(in: store, snapshot) else {
            throw .manifestUnreachable(shown: shown, detail: detail)
        }
        warn("\(shown): \(detail) The last good copy is used.")
        return copy
    }
}
