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

    /// The files that are ours, by path.
    private(set) var owned: [String: OwnedFile]
    /// Those of ours that are not there whole: few as a rule, where the others would be all.
    private var missing: Set<String> = []
    /// Those of ours that are there, but have another size than they were given: they are made again.
    private var damaged: Set<String> = []
    /// Those of ours that this run has in the site.
    private var kept: Set<String> = []
    /// What is not ours, by path.
    private var others: [String: Folder.EntryKind] = [:]
    private(set) var staged: [String: OwnedFile] = [:]
    /// Folders that killed runs have left beside the site's files.
    var temporaries: [String] = []

    init(root: SiteRoot, owned: [String: OwnedFile]) throws(SiteError) {
        self.owned = owned
        guard let folder = root.folder else {
            missing = Set(owned.keys)
            return
        }
        var present = Set<String>(minimumCapacity: owned.count)
        try list(folder, prefix: "", &present)
        for name in SiteRoot.folderNames where others[name] == .folder {
            if let subfolder = try root.existing(name) { try list(subfolder, prefix: name + "/", &present) }
        }
        for path in owned.keys where !present.contains(path) { missing.insert(path) }
    }

    private mutating func list(
        _ folder: Folder, prefix: String, _ present: inout Set<String>
    ) throws(SiteError) {
        try folder.forEachEntry { name, kind in
            let path = prefix + name
            if kind == .file, let index = owned.index(forKey: path) {
                let known = owned[index]
                let isWhole = folder.size(of: name) == known.value.bytes
                if isWhole { present.insert(known.key) } else { damaged.insert(known.key) }
            } else if kind == .folder, prefix.isEmpty, Staging.isTemporary(path) {
                temporaries.append(path)
            } else {
                others[path] = kind
            }
        }
    }

    /// The key of each page of ours that stands there whole by now.
    var keys: @Sendable (String) -> Digest? {
        { [owned, missing] path in missing.contains(path) ? nil : owned[path]?.key }
    }

    var isComplete: Bool { missing.isEmpty }

    func state(of path: String) -> State {
        if staged[path] != nil { return .staged }
        if !missing.contains(path), let file = owned[path] { return .ours(file) }
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
    func standsThere(_ path: String) -> Bool {
        owned[path] != nil && !missing.contains(path) || damaged.contains(path)
    }

    /// What is at the path is ours, and stays.
    mutating func adopt(_ path: String, _ file: OwnedFile) {
        // Nearly all files are what they were.
        if owned[path] != file { owned[path] = file }
        missing.remove(path)
        damaged.remove(path)
        kept.insert(path)
        others[path] = nil
    }

    /// What is at the path stays.
    /// - Returns: the path as it is held already.
    @discardableResult
    mutating func keep(_ path: String) -> String {
        guard let index = owned.index(forKey: path) else { return path }
        let known = owned[index].key
        kept.insert(known)
        return known
    }

    /// A path as it is held already, where it is: a large gallery has many.
    func held(_ path: String) -> String { owned.index(forKey: path).map { owned[$0].key } ?? path }

    mutating func stage(_ path: String, _ file: OwnedFile) { staged[path] = file }

    /// What was staged is in place now.
    mutating func commit() {
        defer { staged = [:] }
        guard owned.isEmpty else {
            for (path, file) in staged { adopt(path, file) }
            return
        }
        // The first publication: the list of a large gallery is not held twice.
        owned = staged
        kept.formUnion(owned.keys)
        if !others.isEmpty { for path in owned.keys { others[path] = nil } }
    }

    /// Gives up a file.
    mutating func disown(_ path: String) {
        owned[path] = nil
        missing.remove(path)
        damaged.remove(path)
    }

    /// What is ours and no longer wanted. A new round begins.
    mutating func leftovers(keeping: Set<String>) -> [String] {
        let leftovers = owned.keys.filter { !kept.contains($0) && !keeping.contains($0) }
        kept = []
        return leftovers
    }
}
