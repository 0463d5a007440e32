package import PhotoModel

/// Puts files into the output folder.
///
/// The site stays what it is until `finish`: files are written under temporary names beside it, and every path is
/// checked before the first one appears. What a publisher knows of the folder is from the moment when it was made, so
/// it is made when the files are ready to go in. One that is released without `finish` leaves no trace.
///
/// `finish` can't be undone half-way by a crash, and need not be: the caller records `claims` before it calls
/// `finish`, and the next run then completes what was begun.
package struct Publisher: ~Copyable {
    private let root: SiteRoot
    private let staging: Staging
    private var folder: SiteInventory
    private var unchanged: [String] = []
    /// Files of ours that no record knows yet.
    private var unrecorded: Set<String>
    /// Whether what is known of our files can be relied on: all are there, and the first page is the one that was
    /// recorded. Else the folder or the record was brought back from elsewhere, and files are compared by their
    /// content.
    private let isTrusted: Bool
    /// The paths of files that `finish` did not put in place because something foreign had come to one of them since
    /// this was made: none of them is ours, though they were claimed.
    package private(set) var unplaced: Set<String> = []
    /// False where also pictures are compared.
    private let isTrusting: Bool

    /// - Parameters:
    ///   - output: The folder; it need not be there yet.
    ///   - owned: The files in it that are ours, by path relative to it; nil if no record of it is left, so that they
    ///     have to prove themselves.
    ///   - permissions: of all files and folders of the site; nil: by the umask, and never less than what was.
    ///   - isTrusting: false compares also those files of ours byte by byte that are as they were recorded.
    /// - Throws: `SiteError.cannotMake` if there is no such folder and none can be made; `.write` if it can't be
    ///   read.
    package init(
        output: String, owned: [String: OwnedFile]?, permissions: SitePermissions? = nil, isTrusting: Bool = true
    ) throws(SiteError) {
        let root = try SiteRoot(path: output, permissions: permissions)
        var folder = try SiteInventory(root: root, owned: owned ?? [:])
        let isTrusted = isTrusting && folder.isComplete ? try Self.holdsRecordedIndex(folder, root) : false
        var shown: [String: OwnedFile] = [:]
        if let owned {
            if !isTrusted { shown = try OwnershipRecovery.missing(in: owned, of: root) }
        } else {
            shown = try OwnershipRecovery(root)?.files() ?? [:]
        }
        if !shown.isEmpty {
            folder = try SiteInventory(root: root, owned: (owned ?? [:]).merging(shown) { known, _ in known })
        }
        self.root = root
        self.isTrusted = isTrusted
        self.isTrusting = isTrusting
        self.folder = folder
        unrecorded = Set(shown.keys)
        staging = Staging(root: root)
    }

    /// The first page shows the time of the last change, so that no two publications have the same.
    private static func holdsRecordedIndex(_ folder: SiteInventory, _ root: SiteRoot) throws(SiteError) -> Bool {
        guard let known = folder.owned[SitePath.index]?.digest else { return false }
        let (parent, name) = try root.place(of: SitePath.index)
        return try OpenFile(reading: name, in: parent).digest() == known
    }

    /// Whether every file of ours is still there as it was recorded, none of them replaced by a folder or a symbolic
    /// link, and nothing is left of a run that was killed: if so, a run in which nothing has changed need not render
    /// anything.
    package var isComplete: Bool { isTrusted && folder.temporaries.isEmpty }

    /// The key of the page that stands in the site at a path, until another one is published there: a page that has
    /// the same key now need not be made.
    package var keys: @Sendable (String) -> Digest? {
        guard isTrusted else { return { _ in nil } }
        return folder.keys
    }

    /// The files that `finish` will put in place, sorted by their paths. They are to be recorded as ours before that,
    /// with those that are known only by what the folder shows now: after a kill in the middle it may show it no
    /// more.
    /// - Throws: `SiteError.full` if there is no room for them on the disk.
    package func claims() throws(SiteError) -> some Sequence<(key: String, value: OwnedFile)> {
        try staging.checkRoom()
        return folder.claims(with: unrecorded)
    }

    /// All files that are ours, those that wait included.
    package var owned: [String: OwnedFile] { folder.owned }

    /// Takes in a picture, whose name says what is in it: if it is there, it is right.
    /// - Parameters:
    ///   - path: Relative to the site: "images/…".
    ///   - stagedFile: The file with its content, complete and synced, and of the mode that it is to have in
    ///     the site.
    /// - Throws: `SiteError.foreign` if something else has that name; `.write` if it can't be written.
    package mutating func publish(picture path: String, from stagedFile: String) throws(SiteError) {
        switch folder.state(of: path) {
        // Several photos may show it.
        case .staged: return
        case .ours where folder.isKept(path): return
        // There is nothing to compare with one that is only here, as its original was lost.
        case .ours where try isTrusting || !OpenFile.isThere(stagedFile) ? true : holdsTheSame(path, as: stagedFile):
            unchanged.append(folder.keep(path))
        case .foreignFile where try holdsTheSame(path, as: stagedFile):
            folder.adopt(path, OwnedFile(digest: nil, bytes: try OpenFile(reading: stagedFile).size()))
            unchanged.append(path)
        case .foreign, .foreignFile:
            throw .foreign(path: root.fullPath(path))
        case .absent, .ours:
            let bytes = try staging.add(path, linking: stagedFile, replacing: folder.known(path))
            folder.stage(path, OwnedFile(digest: nil, bytes: bytes))
        }
    }

    /// Takes in what a renderer gives.
    /// - Throws: `SiteError.foreign` if something else has the name of a file; `.write` if it can't be written.
    package mutating func publish(_ output: SiteOutput) throws(SiteError) {
        switch output {
        case .file(let file, let key): try publish(file, key: key)
        case .stream(let stream): try publish(stream)
        case .unchanged(let path):
            unchanged.append(folder.keep(path))
        }
    }

    private mutating func publish(_ stream: SiteStream) throws(SiteError) {
        switch folder.state(of: stream.path) {
        case .ours(let known) where isTrusted:
            let written = try staging.add(stream, isNew: false, replacing: folder.known(stream.path))
            let owned = OwnedFile(digest: written.digest, bytes: written.bytes)
            guard known.digest == owned.digest else {
                return folder.stage(stream.path, owned, standing: try unrecordedDigest(stream.path, known))
            }
            staging.dropLast()
            folder.adopt(stream.path, owned)
            unchanged.append(stream.path)
        case .absent:
            let written = try staging.add(stream, isNew: true, replacing: folder.known(stream.path))
            folder.stage(stream.path, OwnedFile(digest: written.digest, bytes: written.bytes))
        case .ours, .staged, .foreign, .foreignFile:
            // Whether it is the same as what stands there can be told of a whole file only.
            try publish(stream.whole)
        }
    }

    /// Takes in a page, an asset, the feed or status.json. Nothing is written if it is there with the same content.
    /// - Parameter key: of a page's data.
    /// - Throws: `SiteError.foreign` if something else has that name; `.write` if it can't be written.
    package mutating func publish(_ file: SiteFile, key: Digest? = nil) throws(SiteError) {
        let owned = OwnedFile(digest: Digest(of: file.bytes), bytes: Int64(file.bytes.count), key: key)
        switch folder.state(of: file.path) {
        case .ours(let known) where isTrusted && known.digest != nil ? known.digest == owned.digest : try holds(file):
            folder.adopt(file.path, owned)
            unchanged.append(file.path)
        case .foreignFile where try holds(file):
            folder.adopt(file.path, owned)
            unchanged.append(file.path)
        case .foreign, .foreignFile:
            throw .foreign(path: root.fullPath(file.path))
        case .absent:
            try stage(file, owned, isNew: true)
        case .ours(let known):
            try stage(file, owned, isNew: false, standing: unrecordedDigest(file.path, known))
        case .staged:
            let replaced = staging.drop(file.path)
            try staging.add(file, isNew: false, replacing: replaced, digest: Digest(of: file.bytes))
            folder.stage(file.path, owned)
        }
    }

    private mutating func stage(
        _ file: SiteFile, _ owned: OwnedFile, isNew: Bool, standing: Digest? = nil
    ) throws(SiteError) {
        let path = folder.held(file.path)
        let digest = if let known = owned.digest { known } else { Digest(of: file.bytes) }
        try staging.add(
            SiteFile(path: path, bytes: file.bytes), isNew: isNew, replacing: folder.known(path), digest: digest)
        folder.stage(path, owned, standing: standing)
    }

    /// The digest of a file of ours of which only the size is recorded: an earlier publication did not come to its
    /// end, or the record was lost.
    private func unrecordedDigest(_ path: String, _ known: OwnedFile) throws(SiteError) -> Digest? {
        guard known.digest == nil, let (folder, name) = try root.existingPlace(of: path) else { return nil }
        return try OpenFile(reading: name, in: folder).digest()
    }

    /// Puts everything in place, so that nothing is there before what it refers to; and then removes what was ours
    /// and is neither published nor in `keeping`, and folders of ours that are left empty.
    /// - Throws: `SiteError.write`, `.full` or `.foreign`; the site is then what it was, and after the last of these
    ///   `unplaced` tells what is not ours. Once all is in place nothing is thrown any more: what can't be tidied up
    ///   is in the result.
    package mutating func finish(keeping: Set<String>) throws(SiteError) -> PublishResult {
        let written: [String]
        do throws(SiteError) {
            written = try staging.commit()
        } catch {
            if case .foreign(let path) = error {
                unplaced = Set(staging.unplaced).union([root.relative(path)])
            }
            throw error
        }
        folder.commit()
        unrecorded = []
        var removed: [String] = []
        var untidy: [SiteError] = []
        let leftovers = folder.leftovers(keeping: keeping)
        for part in Part.allCases {
            let before = removed.count
            do throws(SiteError) {
                try remove(leftovers.filter { Part($0) == part }, notingIn: &removed)
                if removed.count > before { try root.sync() }
            } catch {
                untidy.append(error)
                break
            }
        }
        do throws(SiteError) { try removeTemporaries() } catch { untidy.append(error) }
        defer { unchanged = [] }
        return PublishResult(
            written: written, unchanged: unchanged, removed: removed.sorted(), untidy: untidy, owned: folder.owned)
    }

    /// Gives up all that waits, and puts one file in the place of the one that stands there, which is ours; nothing
    /// where there is none. It is for who reads the site now: a power cut may take it back. Nothing may be asked of
    /// the publisher after this.
    /// - Throws: `SiteError.write` or `.full`; the old file is then there.
    package mutating func giveUp(replacing file: SiteFile) throws(SiteError) {
        staging.discard()
        guard let (folder, name) = try root.existingPlace(of: file.path), folder.kind(of: name) == .file else { return }
        let last = Staging(root: root)
        let standing = KnownFile(identity: folder.status(of: name)?.identity)
        try last.add(file, isNew: false, replacing: standing, digest: Digest(of: file.bytes))
        try last.commit(isLasting: false)
    }

    /// Gives the files and folders of ours that were there before the permissions that the site is to have. What the
    /// system refuses stops nothing.
    package mutating func repairPermissions() -> PermissionRepair {
        var repair = PermissionRepair()
        let (root, folder) = (root, folder)
        // The first, as nobody who may not enter it sees the others.
        repair.attempt { () throws(SiteError) in try root.repairItself(isShared: folder.isShared) }
        for path in folder.differing.sorted() {
            let isFolder = SiteRoot.folderNames.contains(path)
            // Files that were written since have them already, and removed ones need none.
            guard isFolder || folder.isAsListed(path) else { continue }
            repair.attempt { () throws(SiteError) in try root.repair(path, isFolder ? nil : folder.known(path)) }
        }
        return repair
    }

    private func holds(_ file: SiteFile) throws(SiteError) -> Bool {
        let (folder, name) = try root.place(of: file.path)
        return try OpenFile(reading: name, in: folder).holds(file.bytes)
    }

    private func holdsTheSame(_ path: String, as other: String) throws(SiteError) -> Bool {
        let (folder, name) = try root.place(of: path)
        return try OpenFile(reading: name, in: folder).holdsTheSame(as: OpenFile(reading: other))
    }

    /// The parts of a removal. Lists go before the photo pages that they link to, and these before their pictures.
    private enum Part: CaseIterable {
        case lists, photoPages, others

        init(_ path: String) {
            self = !path.hasSuffix(".html") ? .others : path.hasPrefix("photo/") ? .photoPages : .lists
        }
    }

    /// - Parameter removed: What was there and is removed, also before an error, is added to it.
    private mutating func remove(_ paths: [String], notingIn removed: inout [String]) throws(SiteError) {
        var standing: [(inode: UInt64, path: String)] = []
        // Also of what is gone already: a run that was killed may have left them empty.
        var folders: Set<String> = []
        for path in paths {
            if let slash = path.firstIndex(of: "/") { folders.insert(String(path[..<slash])) }
            guard folder.standsThere(path) else {
                folder.disown(path)
                continue
            }
            let inode = folder.known(path)?.identity?.inode
            standing.append((inode ?? 0, path))
        }
        // As they lie on the disk: what is removed from a block of inodes is then written once.
        standing.sort { $0.inode < $1.inode }
        let removal = Removal(root: root)
        for (_, path) in standing {
            // A file that came to this path after the folder was listed is foreign, and stays.
            let isRemoved = try removal.remove(path, known: folder.known(path) ?? KnownFile())
            folder.disown(path)
            if isRemoved { removed.append(path) }
        }
        removal.finish()
        for name in folders.sorted() { try root.removeIfEmpty(name) }
    }

    /// Removes the temporary files of builds that were killed.
    private mutating func removeTemporaries() throws(SiteError) {
        for name in folder.temporaries { try root.remove(temporary: name) }
        folder.temporaries = []
    }
}

/// The changes that a publisher has made.
package struct PublishResult: Hashable, Sendable {
    /// In the order in which they were put in place.
    package let written: [String]
    package let unchanged: [String]
    /// Sorted.
    package let removed: [String]
    /// The errors that prevented some removals, which the next publication repeats.
    package let untidy: [SiteError]
    /// All files that are ours now.
    package let owned: [String: OwnedFile]
}
