internal import PhotoModel
internal import Synchronization

/// A file of ours in the output folder: what is known of it, and what becomes of it in a publication.
struct SiteEntry {
    enum State {
        /// It is ours by the record, but nothing is at its path.
        case missing
        /// It has another size than it was given, and is made again.
        case damaged
        /// It is whole, and not part of the new site as far as that is known.
        case present
        /// It is whole, and part of the new site.
        case published
        /// A new file waits for its path.
        /// - Parameter replacedDigest: of what is there until then, where it is known.
        indirect case staged(replacedDigest: Digest?)
    }

    /// From the moment when a new file is staged, that one.
    var file: OwnedFile
    var state = State.missing
    /// As the folder was listed; nil for a file that came there since.
    var identity: FileIdentity?
    /// false for a file that only the folder shows to be ours.
    var isRecorded = true

    /// Whether a file of ours is at the path, whole or not, for all that is known.
    var isPresent: Bool {
        switch state {
        case .damaged, .present, .published: true
        case .missing, .staged: false
        }
    }

    var isWhole: Bool {
        if case .damaged = state { false } else { isPresent }
    }

    var isStaged: Bool {
        if case .staged = state { true } else { false }
    }

    var isPublished: Bool {
        if case .published = state { true } else { false }
    }

    /// What is to be recorded of the file before it is put in place.
    var claim: OwnedFile {
        guard case .staged(let replacedDigest) = state else { return OwnedFile(claiming: file.bytes, before: nil) }
        return OwnedFile(claiming: file.bytes, before: replacedDigest)
    }
}

/// The files of ours in an output folder, by path. Shared with whoever asks for the key of a page while others are
/// staged, so that the list of a large site is held once.
final class SiteEntries: Sendable {
    private let entries: Mutex<[String: SiteEntry]>

    init(_ entries: [String: SiteEntry]) { self.entries = Mutex(entries) }

    subscript(path: String) -> SiteEntry? {
        get { entries.withLock { $0[path] } }
        set { entries.withLock { $0[path] = newValue } }
    }

    /// Changes the entry of a path.
    /// - Returns: false if there is none.
    @discardableResult
    func update(_ path: String, _ change: (inout SiteEntry) -> Void) -> Bool {
        entries.withLock { entries in
            guard let index = entries.index(forKey: path) else { return false }
            change(&entries.values[index])
            return true
        }
    }

    func updateAll(_ change: (String, inout SiteEntry) -> Void) {
        entries.withLock { entries in
            // Not by `indices`, which would hold a second copy of them all.
            var index = entries.startIndex
            while index != entries.endIndex {
                change(entries[index].key, &entries.values[index])
                entries.formIndex(after: &index)
            }
        }
    }

    func paths(where isWanted: (SiteEntry) -> Bool) -> [String] {
        entries.withLock { $0.compactMap { path, entry in isWanted(entry) ? path : nil } }
    }

    var files: [String: OwnedFile] { entries.withLock { $0.mapValues(\.file) } }
}
