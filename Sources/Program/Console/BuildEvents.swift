internal import Downloads
internal import Gallery
internal import Manifest
internal import PhotoModel

extension Console {
    /// Logs a photo whose work has ended, if messages are JSON.
    func finished(_ described: () -> FinishedPhoto) {
        guard LogFormat.current == .json else { return }
        let photo = described()
        event("photo", isProblem: photo.reason != nil) { event in
            event.add("photo", photo.name)
            event.add("album", photo.album)
            event.add("slug", photo.slug)
            event.add("position", photo.position.description)
            event.add("state", photo.state.rawValue)
            event.add("stale", photo.isStale)
            if !photo.marks.isEmpty { event.add("marks", photo.marks.map(\.code.rawValue)) }
            event.add("code", photo.reason?.code.rawValue)
            event.add("message", photo.reason?.message)
            event.add("bytes", photo.bytes)
            event.add("seconds", photo.time)
        }
    }
}

extension BuildReport {
    /// Logs the result of a build.
    /// - Parameters:
    ///   - output: the path of the output folder.
    ///   - time: the time that the whole build took.
    func log(to console: Console, output: String, time: Duration) {
        console.event("summary") { event in
            event.add("output", output)
            event.add("photos", counts.values.reduce(0, +))
            event.add("counts", counts: PhotoState.allCases.map { ($0.rawValue, counts[$0] ?? 0) })
            if let shard {
                event.add("shard", shard.shard.description)
                event.add("store", shard.store)
                event.add("worked", shard.worked)
            }
            event.add("stale", stale.count)
            event.add("marks", counts: markCounts.map { ($0.rawValue, $1) })
            event.add("changed", !changedNothing)
            event.add("written", publication.written.count)
            event.add("removed", publication.removed.count)
            event.add("rendered", rendered)
            event.add("transfers", transfers.transfers)
            event.add("not_modified", transfers.notModified)
            event.add("retries", transfers.retries)
            event.add("bytes", transfers.bytes)
            event.add("seconds", time)
        }
    }
}
