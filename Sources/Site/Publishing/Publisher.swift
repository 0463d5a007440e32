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
    /// How a file that is ours by the record is known to be the one that was recorded.
    private enum Trust {
        /// By the record: all files are there, and the first page is the recorded one.
        case record
        /// By its content, as the folder or the record was brought back from elsewhere; a picture still by its name,
        /// which says what is in it.
        case pictureNames
        /// By its content.
        case content
    }

    private let root: SiteRoot
    private let staging: Staging
    private var inventory: SiteInventory
    private let trust: Trust
    /// The paths of files that `finish` did not put in place because something foreign had come to one of them since
    /// this was made: none of them is ours, though they were claimed.
    package private(set) var uncommitted: Set<String> = []
    /// The files of earlier publications that `finish` leaves where they are.
    private var kept: Set<String> = []

    /// - Parameters:
    ///   - output: The folder; it need not be there yet.
    ///   - owned: The files in it that are ours, by path relative to it; nil if no record of it is left, so that they
    ///     have to prove themselves.
    ///   - permissions: of all files and folders of the site; nil: by the umask, and never less than what was.
    ///   - comparesAll: compares also those files of ours byte by byte that are as they were recorded.
    /// - Throws: `SiteError.cannotMake` if there is no such folder and none can be made; `.write` if it can't be
    ///   read.
    package init(
        output: String, owned: [String: OwnedFile]?, permissions: SitePermissions? = nil, comparesAll: Bool = false
    ) throws(SiteError) {
        let root = try SiteRoot(path: output, permissions: permissions)
        var inventory = try SiteInventory(root: root, owned: owned ?? [:])
        let isAsRecorded = !comparesAll && inventory.isComplete ? try Self.holdsRecordedIndex(inventory, root) : false
        var unrecorded: [String: OwnedFile] = [:]
        if let owned {
            if !isAsRecorded { unrecorded = try OwnershipRecovery.missing(in: owned, of: root) }
        } else {
            unrecorded = try OwnershipRecovery(root)?.files() ?? [:]
        }
        if !unrecorded.isEmpty {
            inventory = try SiteInventory(root: root, owned: owned ?? [:], unrecorded: unrecorded)
        }
        self.root = root
        self.inventory = inventory
        trust = comparesAll ? .content : isAsRecorded ? .record : .pictureNames
        staging = Staging(root: root)
    }

    /// The first page shows the time of the last change, so that no two publications have the same.
    private static func holdsRecordedIndex(_ inventory: SiteInventory, _ root: SiteRoot) throws(SiteError) -> Bool {
        guard let known = inventory.known(SitePath.index)?.digest else { return false }
        let (parent, name) = try root.locate(SitePath.index)
        return try OpenFile(reading: name, in: parent).digest() == known
    }

    /// Whether every file of ours is still there as it was recorded, none of them replaced by a folder or a symbolic
    /// link, and nothing is left of a run that was killed: if so, a run in which nothing has changed need not render
    /// anything.
    package var isComplete: Bool { trust == .record && inventory.temporaries.isEmpty }

    /// The key of the page that stands in the site at a path, until another one is published there: a page that has
    /// the same key now need not be made.
    package var keys: @Sendable (String) -> Digest? {
        guard trust == .record else { return { _ in nil } }
        return inventory.keys
    }

    /// The files of records and the list for the search that stand in the site, by their keys.
    package var dataFiles: [Digest: String] { trust == .record ? inventory.dataFiles : [:] }

    /// The files that `finish` will put in place, sorted by their paths. They are to be recorded as ours before that,
    /// with those that are known only by what the folder shows now: after a kill in the middle it may show it no
    /// more.
    /// - Throws: `SiteError.full` if there is no room for them on the disk.
    package func claims() throws(SiteError) -> some Sequence<(key: String, value: OwnedFile)> {
        try staging.checkSpace()
        return inventory.claims
    }

    /// All files that are ours, those that wait included.
    package var owned: [String: OwnedFile] { inventory.owned }

    /// Takes in a picture, whose name says what is in it: if it is there, it is right.
    /// - Parameters:
    ///   - path: Relative to the site: "images/…".
    ///   - stagedFile: The file with its content, complete and synced, and of the mode that it is to have in
    ///     the site.
    /// - Throws: `SiteError.foreign` if something else has that name; `.write` if it can't be written.
    package mutating func publish(picture path: String, from stagedFile: String) throws(SiteError) {
        switch inventory.state(of: path) {
        // Several photos may show it.
        case .staged: return
        case .ours where inventory.isPublished(path): return
        // There is nothing to compare with one that is only here, as its original was lost.
        case .ours
        where try trust != .content || !OpenFile.exists(at: stagedFile) ? true : hasSameContent(path, as: stagedFile):
            inventory.keep(path)
        case .foreignFile where try hasSameContent(path, as: stagedFile):
            inventory.keep(path, as: OwnedFile(digest: nil, bytes: try OpenFile(reading: stagedFile).size()))
        case .foreign, .foreignFile:
            throw .foreign(path: root.fullPath(path))
        case .absent, .ours:
            let bytes = try staging.add(path, linking: stagedFile, replacing: inventory.known(path))
            inventory.stage(path, OwnedFile(digest: nil, bytes: bytes))
        }
    }

    /// Takes in what a renderer gives.
    /// - Throws: `SiteError.foreign` if something else has the name of a file; `.write` if it can't be written.
    package mutating func publish(_ output: SiteOutput) throws(SiteError) {
        switch output {
        case .file(let file, let key): try publish(file, key: key)
        case .stream(let stream): try publish(stream)
        case .unchanged(let path): inventory.keep(path)
        }
    }

    private mutating func publish(_ stream: SiteStream) throws(SiteError) {
        switch inventory.state(of: stream.path) {
        case .ours(let known) where trust == .record:
            let written = try staging.add(stream, isNew: false, replacing: inventory.known(stream.path))
            let owned = OwnedFile(digest: written.digest, bytes: written.bytes)
            guard known.digest == owned.digest else {
                return inventory.stage(
                    stream.path, owned, replacedDigest: try unrecordedDigest(stream.path, known))
            }
            staging.dropLast()
            inventory.keep(stream.path, as: owned)
        case .absent:
            let written = try staging.add(stream, isNew: true, replacing: inventory.known(stream.path))
            inventory.stage(stream.path, OwnedFile(digest: written.digest, bytes: written.bytes))
        case .ours, .staged, .foreign, .foreignFile:
            // Whether it is the same as what stands there can be told of a whole file only.
            try publish(stream.whole)
        }
    }

    /// Takes in a page, an asset, the feed or status.json. Nothing is written if it is there with the same content.
    /// - Parameter key: of a page's data.
    /// - Throws: `SiteError.foreign` if something else has that name; `.write` if it can't be written.
    package mutating func publish(_ file: SiteFile, key: Digest? = nil) throws(SiteError) {
        let digest = Digest(of: file.bytes)
        let owned = OwnedFile(digest: digest, bytes: Int64(file.bytes.count), key: key)
        switch inventory.state(of: file.path) {
        case .ours(let known)
        where trust == .record && known.digest != nil ? known.digest == owned.digest : try holds(file):
            inventory.keep(file.path, as: owned)
        case .foreignFile where try holds(file):
            inventory.keep(file.path, as: owned)
        case .foreign, .foreignFile:
            throw .foreign(path: root.fullPath(file.path))
        case .absent:
            try staging.add(file, isNew: true, replacing: inventory.known(file.path), digest: digest)
            inventory.stage(file.path, owned)
        case .ours(let known):
            let replacedDigest = try unrecordedDigest(file.path, known)
            try staging.add(file, isNew: false, replacing: inventory.known(file.path), digest: digest)
            inventory.stage(file.path, owned, replacedDigest: replacedDigest)
        case .staged:
            let replaced = staging.drop(file.path)
            try staging.add(file, isNew: false, replacing: replaced, digest: digest)
            inventory.stage(file.path, owned)
        }
    }

    /// Has `finish` leave files of earlier publications where they are, for pages that caches still hold: whole ones
    /// with a hash of their content in their names, to which nothing refers since less time than is given. To be called
    /// when all else is published, as it publishes the list of them.
    /// - Throws: `SiteError.foreign` if something else has the name of the list; `.write` if it can't be written.
    package mutating func keepOld(for retention: Retention) throws(SiteError) {
        guard retention.seconds > 0 else { return }
        let earlier = isOurs(SitePath.kept) ? try KeptFiles(in: root).entries : [:]
        var entries: [String: KeptFiles.Entry] = [:]
        for (path, bytes) in inventory.unpublished where SitePath.isNamedByContent(path) {
            // A clock that was ahead must not keep files for longer.
            let since = min(earlier[path]?.since ?? retention.now, retention.now)
            if !retention.isOver(since) { entries[path] = KeptFiles.Entry(bytes: bytes, since: since) }
        }
        kept = Set(entries.keys)
        if !kept.isEmpty { try publish(KeptFiles(entries: entries).file(retention.generator)) }
    }

    private func isOurs(_ path: String) -> Bool {
        if case .ours = inventory.state(of: path) { true } else { false }
    }

    /// The digest of a file of ours of which only the size is recorded: an earlier publication did not come to its
    /// end, or the record was lost.
    private func unrecordedDigest(_ path: String, _ known: OwnedFile) throws(SiteError) -> Digest? {
        guard known.digest == nil, let (folder, name) = try root.locateExisting(path) else { return nil }
        return try OpenFile(reading: name, in: folder).digest()
    }

    /// Puts everything in place, so that nothing is there before what it refers to; and then removes what was ours
    /// and is neither published nor in `keeping`, and folders of ours that are left empty.
    /// - Throws: `SiteError.write`, `.full` or `.foreign`; the site is then what it was, and after the last of these
    ///   `uncommitted` tells what is not ours. Once all is in place nothing is thrown any more: what can't be tidied up
    ///   is in the result.
    package mutating func finish(keeping: Set<String>) throws(SiteError) -> PublishResult {
        let written: [String]
        do throws(SiteError) {
            written = try staging.commit()
        } catch {
            if case .foreign(let path) = error {
                uncommitted = Set(staging.uncommitted).union([root.relative(path)])
            }
            throw error
        }
        inventory.commit()
        var removed: [String] = []
        var removalFailures: [SiteError] = []
        let leftovers = inventory.leftovers(keeping: keeping.union(kept))
        for part in Part.allCases {
            let before = removed.count
            do throws(SiteError) {
                try remove(leftovers.filter { Part($0) == part }, notingIn: &removed)
                if removed.count > before { try root.sync() }
            } catch {
                removalFailures.append(error)
                break
            }
        }
        do throws(SiteError) { try removeTemporaries() } catch { removalFailures.append(error) }
        return PublishResult(
            written: written, removed: removed.sorted(), kept: kept.count, removalFailures: removalFailures,
            owned: inventory.owned)
    }

    /// Gives up all that waits, and puts one file in the place of the one that stands there, which is ours; nothing
    /// where there is none. It is for who reads the site now: a power cut may take it back. Nothing may be asked of
    /// the publisher after this.
    /// - Throws: `SiteError.write` or `.full`; the old file is then there.
    package mutating func abandon(replacing file: SiteFile) throws(SiteError) {
        staging.discard()
        guard let (folder, name) = try root.locateExisting(file.path), folder.kind(of: name) == .file else { return }
        let last = Staging(root: root)
        let replaced = KnownFile(identity: folder.status(of: name)?.identity)
        try last.add(file, isNew: false, replacing: replaced, digest: Digest(of: file.bytes))
        try last.commit(isLasting: false)
    }

    /// Gives the files and folders of ours that were there before the permissions that the site is to have. What the
    /// system refuses stops nothing.
    package mutating func repairPermissions() -> PermissionRepair {
        var repair = PermissionRepair()
        let (root, inventory) = (root, inventory)
        // The first, as nobody who may not enter it sees the others.
        repair.attempt { () throws(SiteError) in try root.repairItself(isShared: inventory.isShared) }
        for path in inventory.differing.sorted() {
            let isFolder = SiteRoot.folderNames.contains(path)
            // Files that were written since have them already, and removed ones need none.
            guard isFolder || inventory.isAsListed(path) else { continue }
            repair.attempt { () throws(SiteError) in try root.repair(path, isFolder ? nil : inventory.known(path)) }
        }
        return repair
    }

    private func holds(_ file: SiteFile) throws(SiteError) -> Bool {
        let (folder, name) = try root.locate(file.path)
        return try OpenFile(reading: name, in: folder).holds(file.bytes)
    }

    private func hasSameContent(_ path: String, as other: String) throws(SiteError) -> Bool {
        let (folder, name) = try root.locate(path)
        return try OpenFile(reading: name, in: folder).hasSameContent(as: OpenFile(reading: other))
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
        var present: [(inode: UInt64, path: String)] = []
        // Also of what is gone already: a run that was killed may have left them empty.
        var folders: Set<String> = []
        for path in paths {
            if let slash = path.firstIndex(of: "/") { folders.insert(String(path[..<slash])) }
            guard inventory.isPresent(path) else {
                inventory.disown(path)
                continue
            }
            let inode = inventory.known(path)?.identity?.inode
            present.append((inode ?? 0, path))
        }
        // As they lie on the disk: what is removed from a block of inodes is then written once.
        present.sort { $0.inode < $1.inode }
        let removal = Removal(root: root)
        for (_, path) in present {
            // A file that came to this path after the folder was listed is foreign, and stays.
            let isRemoved = try removal.remove(path, known: inventory.known(path) ?? KnownFile())
            inventory.disown(path)
            if isRemoved { removed.append(path) }
        }
        removal.finish()
        for name in folders.sorted() { try root.removeIfEmpty(name) }
    }

    /// Removes the temporary files of builds that were killed.
    private mutating func removeTemporaries() throws(SiteError) {
        for name in inventory.temporaries { try root.remove(temporary: name) }
        inventory.temporaries = []
    }
}

/// The changes that a publisher has made.
package struct PublishResult: Hashable, Sendable {
    /// In the order in which they were put in place.
    package let written: [String]
    /// Sorted.
    package let removed: [String]
    /// The number of files of earlier publications that stay.
    package let kept: Int
    /// The errors that prevented some removals, which the next publication repeats.
    package let removalFailures: [SiteError]
    /// All files that are ours now.
    package let owned: [String: OwnedFile]
}
