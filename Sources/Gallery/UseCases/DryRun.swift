internal import Ledger
internal import Manifest

/// The plan of a build, and nothing more: no folder is made, no file is written, no photo is requested. A manifest
/// from a URL is fetched, and not kept.
package struct DryRun {
    private let options: BuildOptions
    private let warn: (String) -> Void
    private let remark: (String) -> Void

    /// - Parameters:
    ///   - warn: called with what needs attention.
    ///   - remark: called with what looks like a slip in a manifest.
    package init(
        _ options: BuildOptions, warn: @escaping (String) -> Void, remark: @escaping (String) -> Void = { _ in }
    ) {
        self.options = options
        self.warn = warn
        self.remark = remark
    }

    /// - Throws: `GalleryError` for what would also stop a build before it begins.
    package func run() throws(GalleryError) -> PlanReport {
        try options.checkManifestsAndFolders()
        let history = try BuildHistory(options, warn: warn)
        try refuseForeignSite(in: options.output, ledger: history.site == nil ? nil : history.ledger)
        let gallery = try GalleryInspection(options, history: history, remote: .fetchedOrLastGood, warn: warn)
        for warning in gallery.list.manifest.warnings { remark(warning.description) }
        let records = gallery.records()
        let diskScan = DiskScan(
            options, ledger: history.ledger, snapshot: gallery.history.snapshot, site: history.site)
        let plan = Plan(
            records: records, inputs: try gallery.manifests.siteInputs(options), snapshot: gallery.history.snapshot,
            site: history.site, diskState: try diskScan.diskState(for: records), options: options)
        return PlanReport(records: records, plan: plan)
    }
}
