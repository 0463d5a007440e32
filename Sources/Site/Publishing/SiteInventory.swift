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

    private struct Entry {
        var file: OwnedFile
        var isPresent = false
        /// It is there, but has another size than it was given: it is made again.
        var isDamaged = false
        /// Whether this run has it in the site.
        var isKept = false
    }

    private var entries: [String: Entry]
    /// What is not ours, by path.
    private var others: [String: Folder.EntryKind] = [:]
    private(set) var staged: [String: OwnedFile] = [:]
    /// Folders that killed runs have left beside the site's files.
    var temporaries: [String] = []

    init(root: SiteRoot, owned: [String: OwnedFile]) throws(SiteError) {
        entries = owned.mapValues { Entry(file: $0) }
        guard let folder = root.folder else { return }
        try list(folder, prefix: "")
        for name in SiteRoot.folderNames where others[name] == .folder {
            if let subfolder = try root.existing(name) { try list(subfolder, prefix: name + "/") }
        }
    }

    private mutating func list(_ folder: Folder, prefix: String) throws(SiteError) {
        var found: [(String, Folder.EntryKind)] = []
        try folder.forEachEntry { found.append((prefix + $0, $1)) }
        for (path, kind) in found {
            if kind == .file, let index = entries.index(forKey: path) {
                let name = path.dropFirst(prefix.count)
                let isWhole = folder.size(of: String(name)) == entries.values[index].file.bytes
                entries.values[index].isPresent = isWhole
                entries.values[index].isDamaged = !isWhole
            } else if kind == .folder, prefix.isEmpty, Staging.isTemporary(path) {
                temporaries.append(path)
            } else {
                others[path] = kind
            }
        }
    }

    /// The keys of the pages of ours that stand there whole, by path.
    var keys: [String: Digest] {
        var keys: [String: Digest] = [:]
        for (path, entry) in entries where entry.isPresent { keys[path] = entry.file.key }
        return keys
    }

    var isComplete: Bool { entries.values.allSatisfy(\.isPresent) }

    var owned: [String: OwnedFile] { entries.mapValues(\.file) }

    func state(of path: String) -> State {
        if staged[path] != nil { return .staged }
        if let entry = entries[path], entry.isPresent { return .ours(entry.file) }
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
    func standsThere(_ path: String) -> Bool { entries[path].map { $0.isPresent || $0.isDamaged } ?? false }

    /// What is at the path is ours, and stays.
    mutating func adopt(_ path: String, _ file: OwnedFile) {
        entries[path] = Entry(file: file, isPresent: true, isKept: true)
        others[path] = nil
    }

    mutating func keep(_ path: String) { entries[path]?.isKept = true }

    mutating func stage(_ path: String, _ file: OwnedFile) { staged[path] = file }

    /// What was staged is in place now.
    mutating func commit() {
        for (path, file) in staged { adopt(path, file) }
        staged = [:]
    }

    /// Gives up a file.
    mutating func disown(_ path: String) { entries[path] = nil }

    /// What is ours and no longer wanted. A new round begins.
    mutating func leftovers(keeping: Set<String>) -> [String] {
        var leftovers: [String] = []
        for (path, entry) in entries where !entry.isKept && !keeping.contains(path) { leftovers.append(path) }
        for index in entries.indices { entries.values[index].isKept = false }
        return leftovers
    }
}
