internal import PhotoModel

/// What is in the output folder, and which of it is ours: found by listing its folders once, or twice where something
/// of ours is missing.
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

    /// The files that are ours, those that wait to be put in place included.
    private let files: OwnedFiles
    /// Those of ours that are not there whole: few as a rule, where the others would be all.
    private var missing: Set<String> = []
    /// Those of ours that are there, but have another size than they were given: they are made again.
    private var damaged: Set<String> = []
    /// Those of ours that this round found in the site and leaves as they are.
    private var kept: Set<String> = []
    /// What is not ours, by path.
    private var others: [String: Folder.EntryKind] = [:]
    /// What waits to be put in place.
    private var staged: Set<String> = []
    /// What this round has put in place.
    private var placed: Set<String> = []
    /// Of what waits: the digests of the files that stand there until then, where they are known.
    private var before: [String: Digest] = [:]
    /// By the hashes of their paths, as these are many: what our files were when the folder was listed. Whatever has
    /// another identity later on has come there since.
    private var identities: [Int: FileIdentity] = [:]
    /// The files of ours, and folders with some of them, that have other permissions than the site is to have.
    private(set) var differing: Set<String> = []
    /// Whether things that are no part of a site are in its folder.
    private(set) var isShared = false
    /// Folders that killed runs have left beside the site's files.
    var temporaries: [String] = []

    init(root: SiteRoot, owned: [String: OwnedFile]) throws(SiteError) {
        files = OwnedFiles(owned)
        guard let folder = root.folder else {
            missing = Set(owned.keys)
            return
        }
        identities.reserveCapacity(owned.count)
        var count = 0
        try list(root, folder, owned) { _ in count += 1 }
        guard count != owned.count else { return }
        // Seldom: so only now it is noted which are there, as those are nearly all.
        (others, damaged, temporaries, differing) = ([:], [], [], [])
        var present = Set<String>(minimumCapacity: owned.count)
        try list(root, folder, owned) { present.insert($0) }
        for path in owned.keys where !present.contains(path) { missing.insert(path) }
    }

    /// - Parameter note: called for each file of ours that is there whole.
    private mutating func list(
        _ root: SiteRoot, _ folder: Folder, _ owned: [String: OwnedFile], _ note: (String) -> Void
    ) throws(SiteError) {
        let wanted = root.permissions
        try listFiles(of: folder, prefix: "", owned, wanted, note)
        for name in SiteRoot.folderNames where others[name] == .folder {
            guard let subfolder = try root.existing(name) else { continue }
            let hasOurs = try listFiles(of: subfolder, prefix: name + "/", owned, wanted, note)
            if hasOurs, let wanted, try subfolder.mode() & 0o777 != wanted.folders { differing.insert(name) }
        }
    }

    /// - Returns: whether there are files of ours in the folder.
    @discardableResult
    private mutating func listFiles(
        of folder: Folder, prefix: String, _ owned: [String: OwnedFile], _ wanted: SitePermissions?,
        _ note: (String) -> Void
    ) throws(SiteError) -> Bool {
        var hasOurs = false
        try folder.forEachEntry { name, kind in
            let path = prefix + name
            if kind == .file, let index = owned.index(forKey: path) {
                let known = owned[index]
                let status = folder.status(of: name)
                let hash = known.key.hashValue
                if identities[hash] == nil { identities[hash] = status?.identity }
                hasOurs = true
                if let wanted, let mode = status?.mode, mode != wanted.files { differing.insert(known.key) }
                let isWhole = status?.size == known.value.bytes
                if isWhole { note(known.key) } else { damaged.insert(known.key) }
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

    /// The files that are ours, by path.
    var owned: [String: OwnedFile] { files.all }

    /// The key of each page of ours that stands there whole by now, until another is staged for its place.
    var keys: @Sendable (String) -> Digest? {
        { [files, missing] path in missing.contains(path) ? nil : files[path]?.key }
    }

    /// The paths of what waits to be put in place, sorted, as a large table is written quickest in its own order.
    /// - Parameter others: what of ours is to be among them, if there is anything.
    func claims(with others: Set<String>) -> some Sequence<(key: String, value: OwnedFile)> {
        let paths = staged.isEmpty || others.isEmpty ? staged : staged.union(others)
        return paths.sorted().lazy.map { [files, before] in
            (key: $0, value: OwnedFile(claiming: files[$0]?.bytes ?? 0, before: before[$0]))
        }
    }

    var isComplete: Bool { missing.isEmpty }

    func state(of path: String) -> State {
        if staged.contains(path) { return .staged }
        if !missing.contains(path), let file = files[path] { return .ours(file) }
        if let slash = path.firstIndex(of: "/"), others[String(path[..<slash]), default: .folder] != .folder {
            return .foreign
        }
        return switch others[path] {
        case .file: .foreignFile
        case .folder, .other: .foreign
        case nil: .absent
        }
    }

    /// Whether a file of ours is at the path, whole or not. Not to be asked while one waits for the path.
    func standsThere(_ path: String) -> Bool {
        files[path] != nil && !missing.contains(path) || damaged.contains(path)
    }

    /// Whether the file of ours that stood at the path when the folder was listed is there still, as far as we know.
    func isAsListed(_ path: String) -> Bool { standsThere(path) && identities[path.hashValue] != nil }

    /// By what the file of ours at the path is known again. Not to be asked once one waits for the path.
    /// - Returns: nil if nothing of ours is there.
    func known(_ path: String) -> KnownFile? {
        guard standsThere(path) else { return nil }
        return KnownFile(identity: identities[path.hashValue], digest: files[path]?.digest)
    }

    /// What is at the path is ours, and stays.
    mutating func adopt(_ path: String, _ file: OwnedFile) {
        files.set(path, to: file)
        missing.remove(path)
        damaged.remove(path)
        kept.insert(path)
        others[path] = nil
    }

    /// Whether this round has the file in the site, without having written it.
    func isKept(_ path: String) -> Bool { kept.contains(path) }

    /// What is at the path stays.
    /// - Returns: the path as it is held already.
    @discardableResult
    mutating func keep(_ path: String) -> String {
        guard let known = files.held(path) else { return path }
        kept.insert(known)
        return known
    }

    /// A path as it is held already, where it is: a large gallery has many.
    func held(_ path: String) -> String { files.held(path) ?? path }

    /// From here on the file is known as it will be.
    /// - Parameter standing: the digest of what stands there, where there is no record of it.
    mutating func stage(_ path: String, _ file: OwnedFile, standing: Digest? = nil) {
        let known = files.set(path, to: file)
        guard staged.insert(path).inserted else { return }
        if let digest = standing ?? known?.digest ?? known?.digestBefore { before[path] = digest }
    }

    /// What was staged is in place now, and the round is over but for its leftovers.
    mutating func commit() {
        missing.subtract(staged)
        damaged.subtract(staged)
        before = [:]
        if !others.isEmpty { for path in staged { others[path] = nil } }
        for path in staged { identities[path.hashValue] = nil }
        // Beside `kept`, not merged into it: that would copy one of the two, which are long.
        placed = staged
        staged = []
    }

    /// Gives up a file.
    mutating func disown(_ path: String) {
        files.remove(path)
        missing.remove(path)
        damaged.remove(path)
    }

    /// What is ours and no longer wanted. A new round begins.
    mutating func leftovers(keeping: Set<String>) -> [String] {
        let leftovers = files.paths { !kept.contains($0) && !placed.contains($0) && !keeping.contains($0) }
        (kept, placed) = ([], [])
        return leftovers
    }
}
