package import PhotoModel
internal import Site

/// What a target has at a path.
package enum Presence: Hashable, Sendable {
    case absent
    /// The file itself.
    case same
    /// A regular file with other content.
    case different
    /// A folder, a symbolic link or anything else; or the file's folder is none.
    case other
}

/// What has to be done so that a target has the site: a function of the site, of the list of files that are ours there,
/// and of what was found at the target.
package struct PublicationPlan: Sendable {
    /// The files to send, phase by phase, and in a phase by their paths.
    package private(set) var sends: [OutgoingFile] = []
    /// The files to remove, in that order.
    package private(set) var removals: [String] = []
    /// How many files stay though nothing refers to them any more.
    package private(set) var kept = 0
    /// Files for which the list does not vouch: the target has to be asked.
    package private(set) var unknown: [OutgoingFile] = []
    /// What is at the target in the place of a file of the site and not ours, sorted.
    package private(set) var foreign: [String] = []
    /// The list before the first file is sent: all that is ours at any moment of the publication.
    package private(set) var claims = PublishedList()
    /// The list when all is done.
    package private(set) var result = PublishedList()

    /// - Parameters:
    ///   - site: all files of the site.
    ///   - list: the files at the target that are ours.
    ///   - found: what the target was found to have, by path.
    ///   - retention: how long files stay to which nothing refers any more.
    package init(
        site: [OutgoingFile], list: PublishedList, found: [String: Presence] = [:], retention: PublishRetention
    ) {
        for file in site { plan(file, list.entries[file.path], found[file.path]) }
        let current = Set(site.map(\.path))
        for (path, entry) in list.entries where !current.contains(path) { retire(path, entry, retention) }
        sends.sort { ($0.phase, $0.path) < ($1.phase, $1.path) }
        removals.sort { (RemovalOrder($0), $0) < (RemovalOrder($1), $1) }
        foreign.sort()
    }

    private mutating func plan(_ file: OutgoingFile, _ entry: PublishedList.Entry?, _ presence: Presence?) {
        let done = PublishedList.Entry(bytes: file.bytes, digest: file.digest)
        result.entries[file.path] = done
        claims.entries[file.path] = done
        switch presence {
        case .same: return
        case .other: foreign.append(file.path)
        case .different where entry == nil: foreign.append(file.path)
        case .different: send(file, isNew: false)
        case .absent: send(file, isNew: true)
        case nil:
            if let entry, !entry.isPending {
                let isThere = entry.bytes == file.bytes && entry.digest == file.digest
                if !isThere { send(file, isNew: false) }
            } else {
                unknown.append(file)
                send(file, isNew: true)
            }
        }
    }

    private mutating func send(_ file: OutgoingFile, isNew: Bool) {
        var file = file
        file.isNew = isNew
        sends.append(file)
        claims.entries[file.path] = PublishedList.Entry(bytes: file.bytes, isPending: true)
    }

    private mutating func retire(_ path: String, _ entry: PublishedList.Entry, _ retention: PublishRetention) {
        var entry = entry
        // A clock that was ahead must not keep files for longer.
        entry.since = min(entry.since ?? retention.now, retention.now)
        claims.entries[path] = entry
        if retention.isOver(entry.since ?? retention.now) {
            removals.append(path)
        } else {
            kept += 1
            result.entries[path] = entry
        }
    }

    /// Leaves the files to remove where they are, and on the list.
    mutating func withholdRemovals() {
        for path in removals { result.entries[path] = claims.entries[path] }
        removals = []
    }

    /// Whether a target with this list has everything as it should.
    package func isDone(_ list: PublishedList) -> Bool {
        sends.isEmpty && removals.isEmpty && unknown.isEmpty && result == list
    }
}

/// How long files stay at a target to which nothing refers any more, for pages that caches and open tabs still hold.
package struct PublishRetention: Sendable {
    /// 0: not at all.
    let seconds: Int64
    /// The time of this publication.
    let now: Timestamp

    package init(seconds: Int64, now: Timestamp) {
        self.seconds = seconds
        self.now = now
    }

    func isOver(_ since: Timestamp) -> Bool { seconds <= 0 || now.seconds - since.seconds >= seconds }
}
