internal import PhotoModel

/// The content of the output folder, and which of its files are owned. Each folder is listed once.
struct SiteInventory {
    /// The state of a path.
    enum State {
        case absent
        case owned(OwnedFile)
        /// A new file is staged for the path.
        case staged
        /// A regular file that is not owned, whose content might turn out to be that of the new file.
        case foreignFile
        /// A folder, a symbolic link or another special entry, or a path whose parent is not a folder.
        case foreign
    }

    /// The owned files, including those that are staged.
    private let entries: SiteEntries
    /// All other entries, by path.
    private var others: [String: Folder.EntryKind] = [:]
    /// The paths of owned files, and of folders that contain owned files, whose permissions differ from those of the
    /// site.
    private(set) var differing: Set<String> = []
    /// The paths at which the owned files can differ from the record. A staged file is recorded when it is claimed.
    private(set) var changed: Set<String>
    /// The paths of files that are staged or not recorded yet. `commit` empties it.
    private var pending: Set<String>
    /// The paths of the owned record files and search lists that were in the folder when it was listed.
    private var listedDataFiles: [String] = []
    /// Whether the output folder has entries that are not part of a site.
    private(set) var hasOtherEntries = false
    /// The names of temporary folders that killed runs have left in the output folder.
    var temporaries: [String] = []

    /// - Parameters:
    ///   - owned: the owned files by the record.
    ///   - unrecorded: the files that are owned by the evidence of the folder alone.
    init(
        root: SiteRoot, owned: [String: OwnedFile], unrecorded: [String: OwnedFile] = [:]
    ) throws(SiteError) {
        var known = owned.mapValues { SiteEntry(file: $0) }
        for (path, file) in unrecorded { known[path] = SiteEntry(file: file, isRecorded: false) }
        // The table is handed over, because the first change would copy it if there were another reference to it.
        entries = SiteEntries(consume known)
        pending = Set(unrecorded.keys)
        // Files that an interrupted publication has left unknown: their rows would count as known after this one.
        let unknown = owned.lazy.filter { $0.value.digest == nil && !$0.key.hasPrefix("images/") }
        changed = pending.union(unknown.map { $0.key })
        guard let folder = root.folder else { return }
        try list(folder, prefix: "", root.permissions)
        for name in SiteRoot.folderNames where others[name] == .folder {
            guard let subfolder = try root.existing(name) else { continue }
            let hasOwned = try list(subfolder, prefix: name + "/", root.permissions)
            if hasOwned, let wanted = root.permissions, try subfolder.mode() & 0o777 != wanted.folders {
                differing.insert(name)
            }
        }
    }

    /// - Returns: whether the folder has owned files.
    @discardableResult
    private mutating func list(
        _ folder: Folder, prefix: String, _ wanted: SitePermissions?
    ) throws(SiteError) -> Bool {
        var names: [String] = []
        try folder.forEachEntry { name, kind in
            if kind == .file { names.append(name) } else { noteOther(name, kind, prefix) }
        }
        var hasOwned = false
        let files = names
        let look = { @Sendable (index: Int) in (name: files[index], status: folder.status(of: files[index])) }
        Parallel.forEach(files.indices, look) { name, status in
            let path = prefix + name
            if updateEntry(of: path, status, wanted) {
                hasOwned = true
                if SitePath.isDataFile(path) { listedDataFiles.append(path) }
            } else {
                noteOther(name, .file, prefix)
            }
        }
        return hasOwned
    }

    /// Notes an entry that is not an owned file.
    private mutating func noteOther(_ name: String, _ kind: Folder.EntryKind, _ prefix: String) {
        if prefix.isEmpty, !SiteRoot.isPartOfSite(name, kind) { hasOtherEntries = true }
        if kind == .folder, prefix.isEmpty, Staging.isTemporary(name) {
            temporaries.append(name)
        } else {
            others[prefix + name] = kind
        }
    }

    /// Sets the state of an owned file's entry.
    /// - Parameter status: the attributes of the file; nil if they can't be read.
    /// - Returns: whether the file is owned.
    private mutating func updateEntry(of path: String, _ status: Folder.Status?, _ wanted: SitePermissions?) -> Bool {
        entries.update(path) { entry in
            entry.identity = status?.identity
            entry.mode = entry.identity == nil ? nil : (status?.mode).map { UInt16($0) }
            entry.state = status?.size == entry.file.bytes ? .present : .damaged
            if let wanted, let mode = status?.mode, mode != wanted.files { differing.insert(path) }
        }
    }

    /// An inventory for looking paths up while this one changes. It takes up no memory for the changes.
    var withoutChanges: SiteInventory {
        var inventory = self
        inventory.changed = []
        inventory.pending = []
        return inventory
    }

    /// The owned files, by path.
    var owned: [String: OwnedFile] { entries.files }

    /// The owned files at these paths.
    func owned(at paths: Set<String>) -> [String: OwnedFile] {
        paths.reduce(into: [:]) { $0[$1] = entries[$1]?.file }
    }

    /// Whether all owned files exist and have their recorded sizes.
    var isComplete: Bool { entries.allSatisfy(\.isIntact) }

    /// Returns the key of a page that is owned and complete, until another page is staged for its path.
    var keys: @Sendable (String) -> Digest? {
        { [entries] path in entries[path].flatMap { $0.isIntact ? $0.file.key : nil } }
    }

    /// The paths of record files and search lists that are owned and complete, by key. Files that were put in place
    /// since the folder was listed are not among them.
    var dataFiles: [Digest: String] {
        let pairs = listedDataFiles.compactMap { path in keys(path).map { ($0, path) } }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The files to be recorded before the staged files are put in place: the staged files, and the owned files that
    /// aren't recorded yet. They are sorted by path, because the ledger's table is written fastest in the order of its
    /// keys.
    var claims: some Sequence<(key: String, value: FileClaim)> {
        let isNeeded = pending.contains { entries[$0]?.isStaged ?? false }
        let paths = isNeeded ? pending.sorted() : []
        return paths.lazy.compactMap { [entries] path in
            guard let entry = entries[path], entry.isStaged || !entry.isRecorded else { return nil }
            return (key: path, value: entry.claim)
        }
    }

    func state(of path: String) -> State {
        if let entry = entries[path] {
            if entry.isStaged { return .staged }
            if entry.isIntact { return .owned(entry.file) }
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

    /// Whether an owned file, complete or not, is at the path.
    func isPresent(_ path: String) -> Bool { entries[path]?.isPresent ?? false }

    /// Whether the path still has the owned file that was there when the folder was listed, as far as is known.
    func isAsListed(_ path: String) -> Bool { entries[path].map { $0.isPresent && $0.identity != nil } ?? false }

    /// The properties by which the owned file at the path is recognised.
    /// - Returns: nil if the path has no owned file, or another file is staged for it.
    func known(_ path: String) -> KnownFile? {
        guard let entry = entries[path], entry.isPresent else { return nil }
        return KnownFile(identity: entry.identity, digest: entry.file.digest, mode: entry.mode)
    }

    /// Whether the file exists and is part of the new site.
    func isPublished(_ path: String) -> Bool { entries[path]?.isPublished ?? false }

    /// The owned files that are complete and not yet known to be part of the new site: path → size in bytes.
    var unpublished: [String: Int64] {
        let paths = entries.paths { if case .present = $1.state { true } else { false } }
        return paths.reduce(into: [:]) { $0[$1] = entries[$1]?.file.bytes }
    }

    /// Makes a complete owned file part of the new site.
    /// - Returns: false if the path has no such file, or another one is staged for it.
    mutating func publishIfIntact(_ path: String) -> Bool {
        var isIntact = false
        entries.update(path) { entry in
            isIntact = entry.isIntact
            if isIntact { entry.state = .published }
        }
        return isIntact
    }

    /// Makes the owned file at the path part of the new site. A file that is staged for the path stays, because another
    /// thread can have looked at the owned file before that.
    mutating func markPublished(_ path: String) {
        entries.update(path) { if !$0.isStaged { $0.state = .published } }
    }

    /// Makes the file at the path part of the new site, with the given properties. The file becomes owned if it wasn't.
    mutating func markPublished(_ path: String, as file: OwnedFile) {
        others[path] = nil
        let isKnown = entries.update(path) { entry in
            if entry.file != file { changed.insert(path) }
            entry.file = file
            entry.state = .published
        }
        guard !isKnown else { return }
        entries[path] = SiteEntry(file: file, state: .published)
        changed.insert(path)
    }

    /// Notes that a new file is staged for the path.
    /// - Parameter replacedDigest: the digest of the file that the path has now, if it is not recorded.
    mutating func stage(_ path: String, _ file: OwnedFile, replacedDigest: Digest? = nil) {
        changed.insert(path)
        pending.insert(path)
        let isKnown = entries.update(path) { entry in
            let known = entry.file
            entry.file = file
            guard !entry.isStaged else { return }
            entry.state = .staged(replacedDigest: replacedDigest ?? known.digest ?? known.replacedDigest)
        }
        if !isKnown { entries[path] = SiteEntry(file: file, state: .staged(replacedDigest: replacedDigest)) }
    }

    /// Notes that all staged files are in place.
    mutating func commit() {
        for path in pending {
            entries.update(path) { entry in
                entry.isRecorded = true
                guard entry.isStaged else { return }
                entry.state = .published
                entry.identity = nil
                entry.mode = nil
                others[path] = nil
                changed.remove(path)
            }
        }
        pending = []
    }

    /// Removes the record that gallerygen owns the file at the path.
    mutating func disown(_ path: String) {
        entries[path] = nil
        changed.insert(path)
    }

    /// Returns the owned files that are not part of the new site, and prepares the inventory for the next publication.
    mutating func obsoleteFiles(except retained: Set<String>) -> [String] {
        var obsolete: [String] = []
        entries.updateAll { path, entry in
            if entry.isPublished { entry.state = .present } else if !retained.contains(path) { obsolete.append(path) }
        }
        return obsolete
    }
}
