internal import PhotoModel

/// What is in the output folder, and which of it is ours: found by listing its folders once.
struct SiteInventory {
    /// What is at a path.
    enum State {
        case absent
        case ours(OwnedFile)
        /// Waits to be put there.
        case staged
        /// A regular file that is not ours, and may yet turn out to be the same.
        case foreignFile
        /// A folder, a symbolic link or anything else; or the file's folder is none.
        case foreign
    }

    /// What is ours, or waits to be.
    private let entries: SiteEntries
    /// Everything else, by path.
    private var others: [String: Folder.EntryKind] = [:]
    /// The files of ours, and folders with some of them, that have other permissions than the site is to have.
    private(set) var differing: Set<String> = []
    /// Whether things that are no part of a site are in its folder.
    private(set) var isShared = false
    /// Folders that killed runs have left beside the site's files.
    var temporaries: [String] = []

    /// - Parameters:
    ///   - owned: The files that are ours by the record.
    ///   - unrecorded: Those that only the folder shows to be ours.
    init(
        root: SiteRoot, owned: [String: OwnedFile], unrecorded: [String: OwnedFile] = [:]
    ) throws(SiteError) {
        var known = owned.mapValues { SiteEntry(file: $0) }
        for (path, file) in unrecorded { known[path] = SiteEntry(file: file, isRecorded: false) }
        entries = SiteEntries(known)
        guard let folder = root.folder else { return }
        try list(folder, prefix: "", root.permissions)
        for name in SiteRoot.folderNames where others[name] == .folder {
            guard let subfolder = try root.existing(name) else { continue }
            let hasOurs = try list(subfolder, prefix: name + "/", root.permissions)
            if hasOurs, let wanted = root.permissions, try subfolder.mode() & 0o777 != wanted.folders {
                differing.insert(name)
            }
        }
    }

    /// - Returns: whether there are files of ours in the folder.
    @discardableResult
    private mutating func list(
        _ folder: Folder, prefix: String, _ wanted: SitePermissions?
    ) throws(SiteError) -> Bool {
        var hasOurs = false
        try folder.forEachEntry { name, kind in
            let path = prefix + name
            if kind == .file, isOurs(path, named: name, in: folder, wanted) {
                hasOurs = true
                return
            }
            if prefix.isEmpty, !SiteRoot.isPartOfSite(name, kind) { isShared = true }
            if kind == .folder, prefix.isEmpty, Staging.isTemporary(path) {
                temporaries.append(path)
            } else {
                others[path] = kind
            }
        }
        return hasOurs
    }

    private mutating func isOurs(
        _ path: String, named name: String, in folder: Folder, _ wanted: SitePermissions?
    ) -> Bool {
        entries.update(path) { entry in
            let status = folder.status(of: name)
            entry.identity = status?.identity
            entry.state = status?.size == entry.file.bytes ? .present : .damaged
            if let wanted, let mode = status?.mode, mode != wanted.files { differing.insert(path) }
        }
    }

    /// The files that are ours, by path.
    var owned: [String: OwnedFile] { entries.files }

    /// Whether all files of ours are there whole.
    var isComplete: Bool { entries.paths { !$0.isWhole }.isEmpty }

    /// The key of each page of ours that is there whole, until another is staged for its path.
    var keys: @Sendable (String) -> Digest? {
        { [entries] path in entries[path].flatMap { $0.isWhole ? $0.file.key : nil } }
    }

    /// The files of records and the list for the search that are ours and there whole, by their keys.
    var dataFiles: [Digest: String] {
        let paths = entries.paths { $0.isWhole && $0.file.key != nil }.filter(SitePath.isDataFile)
        let pairs = paths.compactMap { path in entries[path]?.file.key.map { ($0, path) } }
        return Dictionary(pairs) { first, _ in first }
    }

    /// What is to be recorded before the staged files are put in place: these, and what is ours and not recorded; in
    /// the order of their paths, as a large table is written quickest in its own order.
    var claims: some Sequence<(key: String, value: OwnedFile)> {
        let isNeeded = !entries.paths(where: \.isStaged).isEmpty
        let paths = isNeeded ? entries.paths { $0.isStaged || !$0.isRecorded } : []
        return paths.sorted().lazy.compactMap { [entries] path in entries[path].map { (key: path, value: $0.claim) } }
    }

    func state(of path: String) -> State {
        if let entry = entries[path] {
            if entry.isStaged { return .staged }
            if entry.isWhole { return .ours(entry.file) }
        }
        if let slash = path.firstIndex(of: "/"), others[String(path[..<slash]), default: .folder] != .folder {
            return .foreign
        }
        return switch others[path] {
        case .file: .foreignFile
        case .folder, .other: .foreign
        case nil: .absent
        }
    }

    /// Whether a file of ours is at the path, whole or not.
    func isPresent(_ path: String) -> Bool { entries[path]?.isPresent ?? false }

    /// Whether the file of ours that was at the path when the folder was listed is there still, for all that is known.
    func isAsListed(_ path: String) -> Bool { entries[path].map { $0.isPresent && $0.identity != nil } ?? false }

    /// By what the file of ours at the path is known again.
    /// - Returns: nil if nothing of ours is there, or another file is staged for the path.
    func known(_ path: String) -> KnownFile? {
        guard let entry = entries[path], entry.isPresent else { return nil }
        return KnownFile(identity: entry.identity, digest: entry.file.digest)
    }

    /// Whether the file is there and part of the new site.
    func isPublished(_ path: String) -> Bool { entries[path]?.isPublished ?? false }

    /// The files of ours that are there whole, and no part of the new site as far as that is published: path → bytes.
    var unpublished: [String: Int64] {
        let paths = entries.paths { if case .present = $0.state { true } else { false } }
        return paths.reduce(into: [:]) { $0[$1] = entries[$1]?.file.bytes }
    }

    /// What is at the path is ours, and stays.
    mutating func keep(_ path: String) { entries.update(path) { $0.state = .published } }

    /// What is at the path is ours, whatever was known of it, and stays.
    mutating func keep(_ path: String, as file: OwnedFile) {
        others[path] = nil
        let isKnown = entries.update(path) { entry in
            entry.file = file
            entry.state = .published
        }
        if !isKnown { entries[path] = SiteEntry(file: file, state: .published) }
    }

    /// A new file waits for the path.
    /// - Parameter replacedDigest: of what is there, where it is not recorded.
    mutating func stage(_ path: String, _ file: OwnedFile, replacedDigest: Digest? = nil) {
        let isKnown = entries.update(path) { entry in
            let known = entry.file
            entry.file = file
            guard !entry.isStaged else { return }
            entry.state = .staged(replacedDigest: replacedDigest ?? known.digest ?? known.digestBefore)
        }
        if !isKnown { entries[path] = SiteEntry(file: file, state: .staged(replacedDigest: replacedDigest)) }
    }

    /// What was staged is in place now.
    mutating func commit() {
        let hasOthers = !others.isEmpty
        var others = others
        entries.updateAll { path, entry in
            entry.isRecorded = true
            guard entry.isStaged else { return }
            entry.state = .published
            entry.identity = nil
            if hasOthers { others[path] = nil }
        }
        self.others = others
    }

    /// Gives up a file.
    mutating func disown(_ path: String) { entries[path] = nil }

    /// What is ours and not part of the new site. A new publication begins.
    mutating func leftovers(keeping: Set<String>) -> [String] {
        var leftovers: [String] = []
        entries.updateAll { path, entry in
            if entry.isPublished { entry.state = .present } else if !keeping.contains(path) { leftovers.append(path) }
        }
        return leftovers
    }
}
