package import PhotoModel

/// Writes a new version of the site into the output folder.
///
/// The site doesn't change until `finish`: new files are staged under temporary names in the output folder, and every
/// path is checked before the first file appears. A publisher knows the owned files as they were when it was created,
/// or as a scan shortly before has found them, so it should be created once the files are ready to be published. A
/// publisher that is released without `finish` leaves no trace.
///
/// A crash in the middle of `finish` needs no rollback: the caller records `claims` in the ledger before it calls
/// `finish`, so the next run completes the publication.
package struct Publisher: ~Copyable {
    /// How much evidence is needed that an owned file still has the content that was recorded for it.
    private enum Trust {
        /// The record suffices: all recorded files are present, and index.html has the recorded digest.
        case record
        /// The content of a file is compared, because either the folder or the record was restored from elsewhere. A
        /// picture's name still suffices, because the name is a hash of its content.
        case pictureNames
        /// The content of every file is compared.
        case content
    }

    private let root: SiteRoot
    private let staging: Staging
    private var inventory: SiteInventory
    private let trust: Trust
    /// The paths that `finish` did not write because a foreign file appeared at one of them after the files were
    /// inspected. The files at these paths are not owned, although they were claimed.
    package private(set) var unownedClaims: Set<String> = []
    /// The names of the photos of the site that is in the folder, if it is not the recorded one; otherwise empty.
    package private(set) var unrecordedPhotos: [String] = []
    /// The paths of files of earlier publications that `finish` leaves in the site.
    private var retained: Set<String> = []

    /// - Parameters:
    ///   - output: the path of the output folder, which need not exist yet.
    ///   - owned: the owned files, by path relative to the output folder; nil if no record of them is left, so that
    ///     ownership has to be recovered from the files themselves.
    ///   - permissions: the permissions of all files and folders of the site. If nil, the umask decides, and a file
    ///     that replaces another one keeps at least the permission bits of the old file.
    ///   - comparesAll: whether owned files are compared byte by byte even if they match the record.
    /// - Throws: `SiteError.cannotCreate` if the folder neither exists nor can be created; `.write` if the folder can't
    ///   be read.
    package init(
        output: String, owned: [String: OwnedFile]?, permissions: SitePermissions? = nil, comparesAll: Bool = false
    ) throws(SiteError) {
        let root = try SiteRoot(path: output, permissions: permissions)
        var inventory = try SiteInventory(root: root, owned: owned ?? [:])
        let isAsRecorded = comparesAll ? false : try Self.isAsRecorded(inventory, root)
        let recovery: OwnershipRecovery? =
            if owned == nil {
                try OwnershipRecovery(root)
            } else if !isAsRecorded, let status = inventory.recorded(SitePath.status)?.digest {
                try OwnershipRecovery(of: root, ifStatusIsNot: status)
            } else {
                nil
            }
        if let recovery {
            let files = owned == nil ? try recovery.files() : try recovery.files { inventory.recorded($0) != nil }
            unrecordedPhotos = recovery.photoNames
            inventory.add(unrecorded: files, permissions)
        }
        self.root = root
        self.inventory = inventory
        trust = comparesAll ? .content : isAsRecorded ? .record : .pictureNames
        staging = Staging(root: root)
    }

    /// A publisher that begins with the files that a scan has found, and does not inspect them again.
    /// - Parameters:
    ///   - output: the path of the output folder.
    ///   - scanned: the recorded files.
    ///   - permissions: the permissions of all files and folders of the site; nil if the umask decides.
    /// - Returns: nil if the files must be inspected again: the scan was too long ago or of another folder, its files
    ///   were used or discarded before, or the site is not as it was recorded.
    /// - Throws: the same errors as the other initialiser.
    package init?(
        output: String, scanned: ScannedFiles, permissions: SitePermissions? = nil
    ) throws(SiteError) {
        let root = try SiteRoot(path: output, permissions: permissions)
        guard let folder = root.folder, let files = try scanned.take(for: folder) else { return nil }
        guard let inventory = try SiteInventory(root: root, scanned: files), try Self.isAsRecorded(inventory, root)
        else { return nil }
        self.root = root
        self.inventory = inventory
        trust = .record
        staging = Staging(root: root)
    }

    /// Whether all owned files are there, and index.html has the recorded content.
    private static func isAsRecorded(_ inventory: SiteInventory, _ root: SiteRoot) throws(SiteError) -> Bool {
        inventory.isComplete ? try hasRecordedIndex(inventory, root) : false
    }

    /// The digest of index.html identifies a publication, because the page shows the time of the last change.
    private static func hasRecordedIndex(_ inventory: SiteInventory, _ root: SiteRoot) throws(SiteError) -> Bool {
        guard let known = inventory.known(SitePath.index)?.digest else { return false }
        guard let (folder, name) = try root.locateExisting(SitePath.index), folder.kind(of: name) == .file else {
            return false
        }
        return try OpenFile(reading: name, in: folder).digest() == known
    }

    /// Whether every owned file still exists as it was recorded, none of them is replaced by a folder or a symbolic
    /// link, and a killed run has left nothing. If so, a run in which nothing has changed need not render anything.
    package var isComplete: Bool { trust == .record && inventory.temporaries.isEmpty }

    /// Makes the pages that the site has with the same keys part of the new site. They need not be rendered.
    package var keepPages: SiteRenderer.KeepPages {
        guard trust == .record else { return SiteRenderer.keepNone }
        return inventory.keepPages
    }

    /// Makes the pictures that the site has already part of the new site. A picture's name is a hash of its content, so
    /// an owned file with that name has the right content.
    /// - Parameter paths: the paths of pictures relative to the site: "images/…".
    /// - Returns: the other paths, for `publish(picture:from:)`; all of them if every file is compared.
    package mutating func keep(pictures paths: [String]) -> [String] {
        trust == .content ? paths : inventory.publishIfIntact(paths)
    }

    /// Writes files on the threads that render them, for `publish`. While files are written, the publisher must only be
    /// used to publish others.
    package var pageWriter: PageWriter {
        PageWriter(staging.folder, inventory.withoutChanges, root.permissions, trustsRecord: trust == .record)
    }

    /// The paths of the site's record files (photos.*.js) and of its search list, by key.
    package var dataFiles: [Digest: String] { trust == .record ? inventory.dataFiles : [:] }

    /// Begins to write the staged pages to the disk in the background. `finish` then waits for less, if the caller has
    /// something else to do before it.
    package func startWriteback() { staging.folder.startWriteback() }

    /// The files that `finish` will put in place, and the owned files that are not recorded yet, sorted by path. The
    /// caller must record all of them as owned before it calls `finish`: after a kill in the middle, the folder might
    /// no longer show that the unrecorded files are owned.
    /// - Throws: `SiteError.full` if the disk has too little space for the files.
    package func claims() throws(SiteError) -> some Sequence<(key: String, value: FileClaim)> {
        try staging.checkSpace()
        return inventory.claims
    }

    /// The table of the site's files, for callers that delay its release. They only keep it, so its type is hidden.
    package var table: any Sendable { inventory.table }

    /// All owned files, including those that are staged.
    package var owned: [String: OwnedFile] { inventory.owned }

    /// The owned files at these paths, including those that are staged.
    package func owned(at paths: Set<String>) -> [String: OwnedFile] { inventory.owned(at: paths) }

    /// The paths at which `owned` can differ from the record with which the publisher was created, and from the claims
    /// of the files that `finish` has put in place.
    package var changed: Set<String> { inventory.changed }

    /// Stages a picture unless the site has it already.
    /// - Parameters:
    ///   - path: the path of the picture relative to the site: "images/…".
    ///   - stagedFile: the path of a complete and synced file with the picture's content. Its permission bits can
    ///     change, because the site gets a hard link to it if possible.
    /// - Throws: `SiteError.foreign` if the path is taken by anything that gallerygen doesn't own; `.write` if the file
    ///   can't be written.
    package mutating func publish(picture path: String, from stagedFile: String) throws(SiteError) {
        if keep(pictures: [path]).isEmpty { return }
        switch inventory.state(of: path) {
        // Several photos can share a picture.
        case .staged: return
        case .owned where inventory.isPublished(path): return
        // If `stagedFile` doesn't exist, the original was lost, and the site has the only copy of the picture.
        case .owned where try !OpenFile.exists(at: stagedFile) ? true : hasSameContent(path, as: stagedFile):
            inventory.markPublished([path])
        case .foreignFile where try hasSameContent(path, as: stagedFile):
            inventory.markPublished(path, as: OwnedFile(digest: nil, bytes: try OpenFile(reading: stagedFile).size()))
        case .foreign, .foreignFile:
            throw .foreign(path: root.fullPath(path))
        case .absent, .owned:
            let bytes = try staging.add(path, linking: stagedFile, replacing: inventory.known(path))
            inventory.stage(path, OwnedFile(digest: nil, bytes: bytes))
        }
    }

    /// Stages the output of a renderer unless the site has it already.
    /// - Throws: `SiteError.foreign` if the path is taken by anything that gallerygen doesn't own; `.write` if the file
    ///   can't be written.
    package mutating func publish(_ output: SiteOutput) throws(SiteError) {
        switch output {
        case .file(let file, let key): try publish(file, key: key)
        case .stream(let stream): try publish(stream)
        case .unchanged(let paths): inventory.markPublished(paths)
        case .kept: break
        case .prepared(let file): try publish(file)
        }
    }

    private mutating func publish(_ prepared: PreparedFile) throws(SiteError) {
        var earlier: KnownFile?
        // Another file was published at the path after this one was prepared. The last one stays.
        if inventory.isStaged(prepared.path) { earlier = staging.drop(prepared.path) }
        switch prepared.result {
        case .same: return inventory.markPublished(prepared.path, as: prepared.file)
        case .written(var staged):
            staged.replaced = staged.replaced ?? earlier
            staging.add(staged, bytes: prepared.file.bytes)
        case .failed(let error): try staging.note(error, bytes: prepared.file.bytes)
        }
        inventory.stage(prepared.path, prepared.file)
    }

    private mutating func publish(_ stream: SiteStream) throws(SiteError) {
        switch inventory.state(of: stream.path) {
        case .owned(let known) where trust == .record:
            let written = try staging.add(stream, isNew: false, replacing: inventory.known(stream.path))
            let owned = OwnedFile(digest: written.digest, bytes: written.bytes)
            guard known.digest == owned.digest else {
                return inventory.stage(
                    stream.path, owned, replacedDigest: try unrecordedDigest(stream.path, known))
            }
            staging.dropLast()
            inventory.markPublished(stream.path, as: owned)
        case .absent:
            let written = try staging.add(stream, isNew: true, replacing: inventory.known(stream.path))
            inventory.stage(stream.path, OwnedFile(digest: written.digest, bytes: written.bytes))
        case .owned, .staged, .foreign, .foreignFile:
            // The content of an existing file can only be compared with a whole file, so the stream is read into
            // memory.
            try publish(stream.collected)
        }
    }

    /// Stages a page, an asset, the feed or status.json unless the site has it with the same content.
    /// - Parameter key: the digest of a page's data.
    /// - Throws: `SiteError.foreign` if the path is taken by anything that gallerygen doesn't own; `.write` if the file
    ///   can't be written.
    package mutating func publish(_ file: SiteFile, key: Digest? = nil) throws(SiteError) {
        let digest = Digest(of: file.bytes)
        let owned = OwnedFile(digest: digest, bytes: Int64(file.bytes.count), key: key)
        switch inventory.state(of: file.path) {
        case .owned(let known)
        where trust == .record && known.digest != nil ? known.digest == owned.digest : try hasContent(of: file):
            inventory.markPublished(file.path, as: owned)
        case .foreignFile where try hasContent(of: file):
            inventory.markPublished(file.path, as: owned)
        case .foreign, .foreignFile:
            throw .foreign(path: root.fullPath(file.path))
        case .absent:
            try staging.add(file, isNew: true, replacing: inventory.known(file.path), digest: digest)
            inventory.stage(file.path, owned)
        case .owned(let known):
            let replacedDigest = try unrecordedDigest(file.path, known)
            try staging.add(file, isNew: false, replacing: inventory.known(file.path), digest: digest)
            inventory.stage(file.path, owned, replacedDigest: replacedDigest)
        case .staged:
            let replaced = staging.drop(file.path)
            try staging.add(file, isNew: false, replacing: replaced, digest: digest)
            inventory.stage(file.path, owned)
        }
    }

    /// Makes `finish` keep files of earlier publications for pages that are still in caches. A file is kept if it is
    /// complete, has a hash of its content in its name, and has been unreferenced for less time than `retention` says.
    /// This method must be called after all other files are published, because it publishes the list of kept files.
    /// - Throws: `SiteError.foreign` if the path of the list is taken by anything that gallerygen doesn't own; `.write`
    ///   if the list can't be written.
    package mutating func retainOld(for retention: Retention) throws(SiteError) {
        guard retention.seconds > 0 else { return }
        let earlier = isOwned(SitePath.retained) ? try RetainedFiles(in: root).entries : [:]
        var entries: [String: RetainedFiles.Entry] = [:]
        for (path, bytes) in inventory.unpublished where SitePath.isNamedByContent(path) {
            // A clock that was ahead in an earlier run must not make files stay longer.
            let since = min(earlier[path]?.since ?? retention.now, retention.now)
            if !retention.isOver(since) { entries[path] = RetainedFiles.Entry(bytes: bytes, since: since) }
        }
        retained = Set(entries.keys)
        if !retained.isEmpty { try publish(RetainedFiles(entries: entries).file(retention.generator)) }
    }

    private func isOwned(_ path: String) -> Bool {
        if case .owned = inventory.state(of: path) { true } else { false }
    }

    /// The digest of the owned file at a path if only its size is recorded, because an earlier publication was
    /// interrupted or the record was lost.
    private func unrecordedDigest(_ path: String, _ known: OwnedFile) throws(SiteError) -> Digest? {
        guard known.digest == nil, let (folder, name) = try root.locateExisting(path), folder.kind(of: name) == .file
        else { return nil }
        return try OpenFile(reading: name, in: folder).digest()
    }

    /// Puts all staged files in place, so that no file appears before the files that it refers to. Then removes the
    /// owned files that are neither published nor in `keeping`, and the owned folders that are empty after that. The
    /// files that were replaced have names in a temporary folder now; they are removed in the background, until
    /// `finishRemoval` returns.
    /// - Throws: `SiteError.write`, `.full` or `.foreign`, with the site as it was before. After `.foreign`,
    ///   `unownedClaims` has the paths that gallerygen doesn't own. Once all files are in place nothing is thrown: the
    ///   result has the errors of the removals.
    package mutating func finish(keeping: Set<String>) throws(SiteError) -> PublishResult {
        let written: [String]
        let replaced = staging.replacedPaths
        do throws(SiteError) {
            written = try staging.commit()
        } catch {
            if case .foreign(let path) = error {
                unownedClaims = Set(staging.unownedClaims).union([root.relative(path)])
            }
            throw error
        }
        inventory.commit()
        var removed: [String] = []
        var removalFailures: [SiteError] = []
        let obsolete = inventory.obsoleteFiles(except: keeping.union(retained))
        for part in Removal.Part.allCases {
            let before = removed.count
            do throws(SiteError) {
                try remove(obsolete.filter { Removal.Part($0) == part }, addingTo: &removed)
                if removed.count > before { try root.sync() }
            } catch {
                removalFailures.append(error)
                break
            }
        }
        do throws(SiteError) { try removeTemporaries() } catch { removalFailures.append(error) }
        return PublishResult(
            written: written, replaced: replaced, removed: removed.sorted(), retained: retained.count,
            removalFailures: removalFailures)
    }

    /// Waits until no replaced file is left. Must be called after `finish` before another file is published.
    package func finishRemoval() { staging.finishRemoval() }

    /// Discards all staged files and replaces a single owned file, if that file exists. The new file is meant for
    /// visitors who read the site right now, so it isn't made durable and a power cut can revert it. The publisher must
    /// not be used after this.
    /// - Throws: `SiteError.write` or `.full`, with the old file still in place.
    package mutating func abandon(replacing file: SiteFile) throws(SiteError) {
        staging.discard()
        guard let (folder, name) = try root.locateExisting(file.path), folder.kind(of: name) == .file else { return }
        let last = Staging(root: root)
        let replaced = KnownFile(identity: folder.status(of: name)?.identity)
        try last.add(file, isNew: false, replacing: replaced, digest: Digest(of: file.bytes))
        try last.commit(isDurable: false)
        last.finishRemoval()
    }

    /// Applies the site's permissions to the owned files and folders that existed before this publication. A refusal of
    /// the system is counted and doesn't stop the repair.
    package mutating func repairPermissions() -> PermissionRepair {
        var repair = PermissionRepair()
        let (root, inventory) = (root, inventory)
        // The output folder comes first: without permission to search it, nobody can see the files and folders in it.
        repair.attempt { () throws(SiteError) in try root.repairRoot(hasOtherEntries: inventory.hasOtherEntries) }
        for path in inventory.differing.sorted() {
            let isFolder = SiteRoot.folderNames.contains(path)
            // Files that were written by this publication have the permissions already, and removed files need none.
            guard isFolder || inventory.isAsInspected(path) else { continue }
            repair.attempt { () throws(SiteError) in try root.repair(path, isFolder ? nil : inventory.known(path)) }
        }
        return repair
    }

    private func hasContent(of file: SiteFile) throws(SiteError) -> Bool {
        guard let (folder, name) = try root.locateExisting(file.path), folder.kind(of: name) == .file else {
            return false
        }
        return try OpenFile(reading: name, in: folder).hasContent(file.bytes)
    }

    private func hasSameContent(_ path: String, as other: String) throws(SiteError) -> Bool {
        guard let (folder, name) = try root.locateExisting(path), folder.kind(of: name) == .file else { return false }
        return try OpenFile(reading: name, in: folder).hasSameContent(as: OpenFile(reading: other))
    }

    /// - Parameter removed: receives the paths of the files that existed and were removed, even if an error follows.
    private mutating func remove(_ paths: [String], addingTo removed: inout [String]) throws(SiteError) {
        var present: [(inode: UInt64, path: String)] = []
        // Folders of files that are already gone are included, because a killed run might have left them empty.
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
        // The files are removed in the order of their inodes, so that each block of the inode table is written once.
        present.sort { $0.inode < $1.inode }
        let removal = Removal(root: root)
        for (_, path) in present {
            // A file that came to this path after it was inspected is foreign, and stays.
            let isRemoved = try removal.remove(path, known: inventory.known(path) ?? KnownFile())
            inventory.disown(path)
            if isRemoved { removed.append(path) }
        }
        removal.finish()
        for name in folders.sorted() { try root.removeIfEmpty(name) }
    }

    /// Removes the temporary folders that killed builds have left.
    private mutating func removeTemporaries() throws(SiteError) {
        for name in inventory.temporaries { try root.remove(temporary: name) }
        inventory.temporaries = []
    }
}
