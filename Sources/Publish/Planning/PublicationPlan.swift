package import PhotoModel
internal import Site

/// The kind of entry that a target has at the path of a file.
package enum Presence: Hashable, Sendable {
    case absent
    /// The same file.
    case same
    /// A regular file with other content.
    case different
    /// A folder, a symbolic link or another kind of entry, or a file whose folder is not a folder.
    case other
}

/// The steps that bring a target up to date with the site. A plan is a function of the site, of the target's list, and
/// of the files that were found at the target.
package struct PublicationPlan: Sendable {
    /// The files to send, sorted by phase and then by path.
    package private(set) var sends: [OutgoingFile] = []
    /// Files that a publication had sent before it broke off, and that nobody has been told of.
    package private(set) var sentBefore: [OutgoingFile] = []
    /// The paths of the files to remove, in the order of removal.
    package private(set) var removals: [String] = []
    /// The number of files that are kept although nothing refers to them any more.
    package private(set) var retained = 0
    /// Files that are not on the list, or are pending there, so that the target has to be asked.
    package private(set) var unknown: [OutgoingFile] = []
    /// The paths of entries that are not ours in the place of the site's files, sorted.
    package private(set) var foreign: [String] = []
    /// The list to write before the first file is sent or removed. It has all files that are ours during the
    /// publication.
    package private(set) var claims = PublishedList()
    /// The list to write at the end.
    package private(set) var result = PublishedList()
    /// The entries of the files to remove, as they are on the list.
    private var removed: [String: PublishedList.Entry] = [:]

    /// - Parameters:
    ///   - site: all files of the site.
    ///   - list: the files at the target that are ours.
    ///   - unreported: the paths that are pending on this machine's copy of the list. The target's list doesn't tell,
    ///     because the files of a site that was copied there are pending too.
    ///   - found: the entries that were found at the target, by path.
    ///   - retention: the time for which files are kept after nothing refers to them any more.
    package init(
        site: [OutgoingFile], list: PublishedList, unreported: Set<String> = [], found: [String: Presence] = [:],
        retention: PublishRetention
    ) {
        for file in site { plan(file, list.entries[file.path], found[file.path]) }
        if !unreported.isEmpty { addSentBefore(site, unreported) }
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

    /// Such files stay pending until a publication comes to its end, which reports them.
    private mutating func addSentBefore(_ site: [OutgoingFile], _ unreported: Set<String>) {
        let left = unreported.subtracting(sends.map(\.path))
        sentBefore = site.filter { left.contains($0.path) }
        for file in sentBefore { claims.entries[file.path] = PublishedList.Entry(bytes: file.bytes, isPending: true) }
    }

    private mutating func retire(_ path: String, _ entry: PublishedList.Entry, _ retention: PublishRetention) {
        var entry = entry
        // If the clock was ahead, the file must not be kept for longer.
        entry.since = min(entry.since ?? retention.now, retention.now)
        claims.entries[path] = entry
        if retention.isOver(entry.since ?? retention.now) {
            removals.append(path)
            removed[path] = entry
            // If the publication breaks off and the site has the file again, the target is asked for it.
            claims.entries[path] = PublishedList.Entry(bytes: entry.bytes, isPending: true, since: entry.since)
        } else {
            retained += 1
            result.entries[path] = entry
        }
    }

    /// Keeps the files that would be removed at the target and on the list.
    mutating func withholdRemovals() {
        for (path, entry) in removed {
            claims.entries[path] = entry
            result.entries[path] = entry
        }
        (removals, removed) = ([], [:])
    }

    /// Whether a target with this list is up to date.
    package func isDone(_ list: PublishedList) -> Bool {
        sends.isEmpty && removals.isEmpty && unknown.isEmpty && result == list
    }
}

/// The time for which files are kept at a target after nothing refers to them any more, for pages in caches and open
/// tabs.
package struct PublishRetention: Sendable {
    /// The time in seconds; 0 to keep no files.
    let seconds: Int64
    /// The time of this publication.
    let now: Timestamp

    package init(seconds: Int64, now: Timestamp) {
        self.seconds = seconds
        self.now = now
    }

    func isOver(_ since: Timestamp) -> Bool { seconds <= 0 || now.seconds - since.seconds >= seconds }
}
