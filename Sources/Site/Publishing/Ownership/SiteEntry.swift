internal import PhotoModel
internal import Synchronization

/// An owned file in the output folder: its known properties, and its state in a publication.
struct SiteEntry {
    /// The state of the file at the path during a publication.
    enum State {
        /// The file is recorded, but nothing exists at its path.
        case missing
        /// The file's size differs from the recorded one, so the file is written again.
        case damaged
        /// The file is complete, and not known to be part of the new site.
        case present
        /// The file is complete and part of the new site.
        case published
        /// A new file is staged for the path.
        /// - Parameter replacedDigest: the digest of the file that the path still has, if it is known.
        indirect case staged(replacedDigest: Digest?)
    }

    /// The properties of the existing file, or of the new file as soon as one is staged.
    var file: OwnedFile
    var state = State.missing
    /// The identity of the file when it was inspected; nil for a file that was added after that.
    var identity: FileIdentity?
    /// The permission bits of the file when it was inspected; nil without an identity.
    var mode: UInt16?
    /// false if only the content of the folder proves that gallerygen owns the file.
    var isRecorded = true

    /// Sets the state of the file when its path is inspected.
    mutating func set(_ inspection: Folder.Inspection) {
        switch inspection {
        case .absent: break
        // The file stays owned.
        case .unknown: state = .damaged
        case .found(let status):
            guard let found = status.identity else { return }
            identity = found
            mode = UInt16(status.mode)
            state = status.size == file.bytes ? .present : .damaged
        }
    }

    /// Whether an owned file, complete or not, was at the path when the path was inspected or was put there since.
    var isPresent: Bool {
        switch state {
        case .damaged, .present, .published: true
        case .missing, .staged: false
        }
    }

    var isIntact: Bool {
        if case .damaged = state { false } else { isPresent }
    }

    var isStaged: Bool {
        if case .staged = state { true } else { false }
    }

    var isPublished: Bool {
        if case .published = state { true } else { false }
    }

    /// Makes a complete file part of the new site.
    /// - Returns: false if the file is not complete.
    mutating func publishIfIntact() -> Bool {
        guard isIntact else { return false }
        state = .published
        return true
    }

    /// Does the same if the file also has this key.
    mutating func publish(withKey key: Digest) -> Bool { file.key == key && publishIfIntact() }

    /// The record of the file before it is put in place.
    var claim: FileClaim {
        guard case .staged(let replacedDigest) = state else { return FileClaim(file) }
        return FileClaim(file, replacing: replacedDigest)
    }
}

/// The owned files of an output folder, by path. The table is shared with the closures that look unchanged pages up and
/// keep them while other files are staged, so that a large site has one copy of it.
final class SiteEntries: Sendable {
    private let entries: Mutex<[String: SiteEntry]>

    init(_ entries: [String: SiteEntry]) { self.entries = Mutex(entries) }

    subscript(path: String) -> SiteEntry? {
        get { entries.withLock { $0[path] } }
        set { entries.withLock { $0[path] = newValue } }
    }

    /// Changes the entry of a path.
    /// - Returns: false if the path has no entry.
    @discardableResult
    func update(_ path: String, _ change: (inout SiteEntry) -> Void) -> Bool {
        entries.withLock { entries in
            guard let index = entries.index(forKey: path) else { return false }
            change(&entries.values[index])
            return true
        }
    }

    /// Changes the entries of those paths that have one.
    func update(_ paths: [String], _ change: (inout SiteEntry) -> Void) {
        entries.withLock { entries in
            for path in paths {
                if let index = entries.index(forKey: path) { change(&entries.values[index]) }
            }
        }
    }

    /// Makes the complete pages that have these keys part of the new site.
    /// - Returns: for each page, whether it is complete and has the key.
    func publish(_ paths: [String], withKeys keys: [Digest]) -> [Bool] {
        entries.withLock { entries in
            zip(paths, keys).map { path, key in
                guard let index = entries.index(forKey: path) else { return false }
                return entries.values[index].publish(withKey: key)
            }
        }
    }

    /// Makes the complete files at these paths part of the new site.
    /// - Returns: the other paths.
    func publish(_ paths: [String]) -> [String] {
        entries.withLock { entries in
            paths.filter { path in
                guard let index = entries.index(forKey: path) else { return true }
                return !entries.values[index].publishIfIntact()
            }
        }
    }

    func updateAll(_ change: (String, inout SiteEntry) -> Void) {
        entries.withLock { entries in
            // `indices` would retain the dictionary, so that the first change would copy it.
            var index = entries.startIndex
            while index != entries.endIndex {
                change(entries[index].key, &entries.values[index])
                entries.formIndex(after: &index)
            }
        }
    }

    func paths(where isWanted: (String, SiteEntry) -> Bool) -> [String] {
        entries.withLock { $0.compactMap { path, entry in isWanted(path, entry) ? path : nil } }
    }

    func visitAll(_ visit: (String, SiteEntry) -> Void) {
        entries.withLock { entries in
            for (path, entry) in entries { visit(path, entry) }
        }
    }

    func allSatisfy(_ isTrue: (SiteEntry) -> Bool) -> Bool { entries.withLock { $0.values.allSatisfy(isTrue) } }

    var files: [String: OwnedFile] { entries.withLock { $0.mapValues(\.file) } }
}
