internal import Ledger
internal import Manifest

/// Makes the plan of a build and does nothing else: no folder is created, no file is written, no photo is requested. A
/// manifest with a URL is fetched, but not stored.
package struct DryRun {
    private let options: BuildOptions
    private let interruption: ScratchInterruption
    private let warn: (String) -> Void
    private let remark: (String) -> Void

    /// - Parameters:
    ///   - interruption: removes the temporary folder if a signal ends the command.
    ///   - warn: a closure that is called with each problem that needs attention.
    ///   - remark: a closure that is called with each likely mistake in a manifest.
    package init(
        _ options: BuildOptions, interruption: ScratchInterruption = ScratchInterruption(),
        warn: @escaping (String) -> Void, remark: @escaping (String) -> Void = { _ in }
    ) {
        self.options = options
        self.interruption = interruption
        self.warn = warn
        self.remark = remark
    }

    /// - Throws: `GalleryError` for a problem that would also stop a build before it begins.
    package func run() throws(GalleryError) -> PlanReport {
        try options.checkManifestsAndFolders()
        let history = try BuildHistory(options, warn: warn)
        try refuseForeignSite(in: options.output, ledger: history.site == nil ? nil : history.ledger)
        let preview = PreviewSnapshot(options)
        let gallery = try GalleryInspection(
            options, history: history, preview: preview, remote: .fetchedOrLastGood, interruption: interruption,
            warn: warn)
        for warning in gallery.list.manifest.warnings { remark(warning.description) }
        let records = gallery.records()
        var snapshot = gallery.history.snapshot
        for warning in options.accepted.warnings(records) { remark(warning) }
        let diskScan = DiskScan(options, ledger: history.ledger, snapshot: snapshot, site: history.site)
        var diskState = try diskScan.diskState(for: records)
        preview?.add(to: &snapshot, &diskState)
        if let sharing = options.sharing {
            let keys = LedgerKeys(gallery.list.manifest)
            try CollectedResults(options, sharing, gallery.list, keys, isCancelled: { false }).end(records)
        }
        let plan = Plan(
            records: records, inputs: try gallery.manifests.siteInputs(options), snapshot: snapshot,
            site: history.site, diskState: diskState, options: options)
        return PlanReport(records: records, plan: plan)
    }
}
