internal import PhotoModel

/// The owned files of the output folder. A path without an owned file is inspected when it is needed.
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
    /// The open output folder; nil if it did not exist.
    private let folder: Folder?
    /// The subfolders of the site that existed when the output folder was listed.
    private var subfolders: [String: Folder] = [:]
    /// The names of subfolders at which something other than a folder was.
    private var takenSubfolders: Set<String> = []
    /// The paths of owned files, and of folders that contain owned files, whose permissions differ from those of the
    /// site.
    private(set) var differing: Set<String> = []
    /// The paths at which the owned files can differ from the record. A staged file is recorded when it is claimed.
    private(set) var changed: Set<String>
    /// The paths of files that are staged or not recorded yet, some of them twice. `commit` empties it.
    private var pending: [String]
    /// The paths of the owned record files and search lists that were there when they were inspected.
    private var dataFilePaths: [String] = []
    /// Whether the output folder has entries that are not part of a site.
    private(set) var hasOtherEntries = false
    /// The names of temporary folders that killed runs have left in the output folder.
    var temporaries: [String] = []

    /// Inspects all files.
    /// - Parameter owned: the owned files by the record.
    init(root: SiteRoot, owned: [String: OwnedFile]) throws(SiteError) {
        var inventory = try SiteInventory(root: root, SiteEntries(owned.mapValues { SiteEntry(file: $0) }))
        inventory.inspectFiles(owned.keys)
        inventory.note(root.permissions)
        self = inventory
    }

    /// - Parameter scanned: the owned files as a recent scan has found them.
    /// - Returns: nil if one of them is recorded twice. Whoever reads the damaged record again reports that.
    init?(root: SiteRoot, scanned: [ScannedFiles.File]) throws(SiteError) {
        var entries = [String: SiteEntry](minimumCapacity: scanned.count)
        var notes = Notes()
        for file in scanned {
            guard entries.updateValue(file.entry, forKey: file.path) == nil else { return nil }
            notes.add(file.path, file.entry)
        }
        // The table is handed over, because the first change would copy it if there were another reference to it.
        var inventory = try SiteInventory(root: root, SiteEntries(consume entries))
        inventory.note(notes, root.permissions)
        self = inventory
    }

    private init(root: SiteRoot, _ entries: SiteEntries) throws(SiteError) {
        self.entries = entries
        changed = []
        pending = []
        folder = root.folder
        guard let folder else { return }
        var found: [String] = []
        try folder.forEachEntry { name, kind in
            if kind == .folder, Staging.isTemporary(name) { temporaries.append(name) }
            if !SiteRoot.isPartOfSite(name, kind) { hasOtherEntries = true }
            guard SiteRoot.folderNames.contains(name) else { return }
            if kind == .folder { found.append(name) } else { takenSubfolders.insert(name) }
        }
        for name in found {
            subfolders[name] = try root.existing(name)
            try subfolders[name]?.checkAccess()
        }
    }

    /// Adds files that are owned by the evidence of the folder alone, and inspects them.
    /// - Parameter wanted: the permissions of the site; nil if any permissions are allowed.
    mutating func add(unrecorded files: [String: OwnedFile], _ wanted: SitePermissions?) {
        for (path, file) in files { entries[path] = SiteEntry(file: file, isRecorded: false) }
        pending += files.keys
        changed.formUnion(files.keys)
        inspectFiles(files.keys)
        note(wanted)
    }

    /// Inspects owned files, on all cores.
    private func inspectFiles(_ paths: some Collection<String>) {
        let paths = Array(paths)
        let found = { @Sendable (index: Int) in (path: paths[index], inspection: inspect(paths[index])) }
        Parallel.forEach(paths.indices, found) { path, inspection in
            entries.update(path) { $0.set(inspection) }
        }
    }

    /// The paths of files of which an inventory takes note.
    private struct Notes {
        /// The files that an interrupted publication has left unknown: their rows would count as known after this one.
        private(set) var unknown: [String] = []
        private(set) var dataFiles: [String] = []

        mutating func add(_ path: String, _ entry: SiteEntry) {
            if entry.file.digest == nil, !path.hasPrefix("images/") { unknown.append(path) }
            if entry.isPresent, SitePath.isDataFile(path) { dataFiles.append(path) }
        }
    }

    /// Notes the files whose rows must be written, the data files, and the files with other permissions.
    /// - Parameter wanted: the permissions of the site; nil if any permissions are allowed.
    private mutating func note(_ wanted: SitePermissions?) {
        var notes = Notes()
        entries.visitAll { notes.add($0, $1) }
        note(notes, wanted)
    }

    private mutating func note(_ notes: Notes, _ wanted: SitePermissions?) {
        changed.formUnion(notes.unknown)
        dataFilePaths = notes.dataFiles
        if let wanted { noteDiffering(from: wanted) }
    }

    private mutating func noteDiffering(from wanted: SitePermissions) {
        var files: [String] = []
        var used: Set<Substring> = []
        entries.visitAll { path, entry in
            guard entry.isPresent else { return }
            if let mode = entry.mode, UInt32(mode) != wanted.files { files.append(path) }
            if let slash = path.firstIndex(of: "/") { used.insert(path[..<slash]) }
        }
        differing = Set(files)
        for name in used {
            guard let status = folder?.status(of: String(name)), status.mode & 0o777 != wanted.folders else { continue }
            differing.insert(String(name))
        }
    }

    /// Inspects whatever is at a path. Nothing is there if a parent is not a folder of the site.
    private func inspect(_ path: String) -> Folder.Inspection {
        guard let slash = path.firstIndex(of: "/") else { return folder?.inspect(path) ?? .absent }
        return subfolders[String(path[..<slash])]?.inspect(String(path[path.index(after: slash)...])) ?? .absent
    }

    /// An inventory for looking paths up while this one changes. It takes up no memory for the changes.
    var withoutChanges: SiteInventory {
        var inventory = self
        inventory.changed = []
        inventory.pending = []
        return inventory
    }

    /// The table of the files. Its type is hidden, because callers only keep it.
    var table: any Sendable { entries }

    /// The owned files, by path.
    var owned: [String: OwnedFile] { entries.files }

    /// The owned files at these paths.
    func owned(at paths: Set<String>) -> [String: OwnedFile] {
        paths.reduce(into: [:]) { $0[$1] = entries[$1]?.file }
    }

    /// Whether all owned files exist and have their recorded sizes.
    var isComplete: Bool { entries.allSatisfy(\.isIntact) }

    /// Makes complete owned pages with the same keys part of the new site.
    var keepPages: SiteRenderer.KeepPages {
        { [entries] paths, keys in entries.publish(paths, withKeys: keys) }
    }

    /// The paths of record files and search lists that are owned and complete, by key. Files that were put in place
    /// since they were inspected are not among them.
    var dataFiles: [Digest: String] {
        let pairs = dataFilePaths.compactMap { path in
            entries[path].flatMap { $0.isIntact ? $0.file.key : nil }.map { ($0, path) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The files to be recorded before the staged files are put in place: the staged files, and the owned files that
    /// aren't recorded yet. They are sorted by path, because the ledger's table is written fastest in the order of its
    /// keys.
    var claims: some Sequence<(key: String, value: FileClaim)> {
        let isNeeded = pending.contains { entries[$0]?.isStaged ?? false }
        // The photos' pages are mostly in order already, and are then sorted fast.
        let paths = isNeeded ? pending.sorted() : []
        return paths.indices.lazy.compactMap { [entries] index in
            let path = paths[index]
            guard index == 0 || paths[index - 1] != path else { return nil }
            guard let entry = entries[path], entry.isStaged || !entry.isRecorded else { return nil }
            return (key: path, value: entry.claim)
        }
    }

    func state(of path: String) -> State {
        if let entry = entries[path] {
            if entry.isStaged { return .staged }
            if entry.isIntact { return .owned(entry.file) }
            // A damaged file is replaced like one that is missing.
            if entry.isPresent { return .absent }
        }
        if let slash = path.firstIndex(of: "/"), takenSubfolders.contains(String(path[..<slash])) { return .foreign }
        // If the path can't be inspected, the file can't be put in place either, and the cause is reported then.
        guard case .found(let found) = inspect(path) else { return .absent }
        return found.identity == nil ? .foreign : .foreignFile
    }

    /// The owned file of the path, whether or not it is there.
    func recorded(_ path: String) -> OwnedFile? { entries[path]?.file }

    /// Whether a new file is staged for the path.
    func isStaged(_ path: String) -> Bool { entries[path]?.isStaged ?? false }

    /// Whether an owned file, complete or not, is at the path.
    func isPresent(_ path: String) -> Bool { entries[path]?.isPresent ?? false }

    /// Whether the path still has the owned file that was there when it was inspected, as far as is known.
    func isAsInspected(_ path: String) -> Bool { entries[path].map { $0.isPresent && $0.identity != nil } ?? false }

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

    /// Makes the complete owned files at the paths part of the new site.
    /// - Returns: the paths that have no such file, or for which another one is staged.
    mutating func publishIfIntact(_ paths: [String]) -> [String] { entries.publish(paths) }

    /// Makes the owned files at the paths part of the new site. A file that is staged for a path stays.
    mutating func markPublished(_ paths: [String]) {
        entries.update(paths) { if !$0.isStaged { $0.state = .published } }
    }

    /// Makes the file at the path part of the new site, with the given properties. The file becomes owned if it wasn't.
    mutating func markPublished(_ path: String, as file: OwnedFile) {
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
        pending.append(path)
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
