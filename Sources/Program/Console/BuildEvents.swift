internal import Downloads
internal import Gallery
internal import Manifest
internal import PhotoModel

extension Console {
    /// Logs a photo whose work has ended.
    func finished(_ photo: FinishedPhoto) {
        event("photo", isProblem: photo.reason != nil) { event in
            event.add("photo", photo.name)
            event.add("album", photo.album)
            event.add("slug", photo.slug)
            event.add("position", photo.position.description)
            event.add("state", photo.state.rawValue)
            event.add("stale", photo.isStale)
            event.add("code", photo.reason?.code.rawValue)
            event.add("message", photo.reason?.message)
            event.add("bytes", photo.bytes)
            event.add("seconds", photo.time)
        }
    }
}

extension BuildSummary {
    /// Logs the result of a build.
    /// - Parameter time: how long the whole build took.
    func log(to console: Console, time: Duration) {
        console.event("summary") { event in
            event.add("output", options.output)
            event.add("photos", report.counts.values.reduce(0, +))
            event.add("counts", counts: PhotoState.allCases.map { ($0.rawValue, report.counts[$0] ?? 0) })
            event.add("stale", report.stale.count)
            event.add("changed", !report.changedNothing)
            event.add("written", report.publication.written.count)
            event.add("removed", report.publication.removed.count)
            event.add("rendered", report.rendered)
            event.add("transfers", report.transfers.transfers)
            event.add("not_modified", report.transfers.notModified)
            event.add("retries", report.transfers.retries)
            event.add("bytes", report.transfers.bytes)
            event.add("seconds", time)
        }
    }
}
