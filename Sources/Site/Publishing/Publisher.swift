internal import PhotoModel

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
    private let isTrusting: Bool

    /// - Parameters:
    ///   - output: The folder; it need not be there yet.
    ///   - owned: The files in it that are ours, by path relative to it.
    ///   - isTrusting: false compares also those files of ours with what is published that are as large as they should
    ///     be, byte by byte.
    /// - Throws: `SiteError.cannotMake` if there is no such folder and none can be made; `.write` if it can't be read.
    package init(output: String, owned: [String: OwnedFile], isTrusting: Bool = true) throws(SiteError) {
        self.isTrusting = isTrusting
        let root = try SiteRoot(path: output)
        let folder = try SiteInventory(root: root, owned: owned)
        self.root = root
        self.folder = folder
        staging = Staging(root: root)
    }

    /// Whether every file of ours is still there, none of them replaced by a folder or a symbolic link: if so, a run
    /// in which nothing has changed need not render anything.
    package var isComplete: Bool { folder.isComplete }

    /// The keys of the pages that stand in the site, by path: of those a renderer need not make any with the same key.
    package var keys: [String: String] { isTrusting ? folder.keys : [:] }

    /// The files that `finish` will put in place. They are to be recorded as ours before that.
    package var claims: [String: OwnedFile] { folder.staged.mapValues { OwnedFile(digest: nil, bytes: $0.bytes) } }

    /// Takes in a picture, whose name says what is in it: if it is there, it is right.
    /// - Parameters:
    ///   - path: Relative to the site: "images/…".
    ///   - stagedFile: The file with its content, complete and synced, and of the mode that it is to have in
    ///     the site.
    /// - Throws: `SiteError.foreign` if something else has that name; `.write` if it can't be written.
    package mutating func publish(picture path: String, from stagedFile: String) throws(SiteError) {
        switch folder.state(of: path) {
        case .staged:
            return
        case .ours where try isTrusting ? true : holdsTheSame(path, as: stagedFile):
            folder.keep(path)
            unchanged.append(path)
        case .foreignFile where try holdsTheSame(path, as: stagedFile):
            folder.adopt(path, OwnedFile(digest: nil, bytes: try OpenFile(reading: stagedFile).size()))
            unchanged.append(path)
        case .foreign, .foreignFile:
            throw .foreign(path: root.fullPath(path))
        case .absent, .ours:
            let bytes = try staging.add(path, linking: stagedFile)
            folder.stage(path, OwnedFile(digest: nil, bytes: bytes))
        }
    }

    /// Takes in what a renderer gives.
    /// - Throws: `SiteError.foreign` if something else has the name of a file; `.write` if it can't be written.
    package mutating func publish(_ piece: SitePiece) throws(SiteError) {
        switch piece {
        case .file(let file): try publish(file)
        case .stream(let stream): try publish(stream)
        case .current(let path):
            folder.keep(path)
            unchanged.append(path)
        }
    }

    private mutating func publish(_ stream: SiteStream) throws(SiteError) {
        if case .foreignFile = folder.state(of: stream.path) {
            // Whether it is the same can be told of a whole file only.
            return try publish(stream.whole)
        }
        if case .foreign = folder.state(of: stream.path) { throw .foreign(path: root.fullPath(stream.path)) }
        let written = try staging.add(stream)
        let owned = OwnedFile(digest: written.digest, bytes: written.bytes, key: stream.key)
        if case .ours(let known) = folder.state(of: stream.path), known.digest == owned.digest, isTrusting {
            staging.dropLast()
            folder.adopt(stream.path, owned)
            unchanged.append(stream.path)
        } else {
            folder.stage(stream.path, owned)
        }
    }

    /// Takes in a page, an asset, the feed or status.json. Nothing is written if it is there with the same content.
    /// - Throws: `SiteError.foreign` if something else has that name; `.write` if it can't be written.
    package mutating func publish(_ file: SiteFile) throws(SiteError) {
        let owned = OwnedFile(digest: Digest(of: file.bytes), bytes: Int64(file.bytes.count), key: file.key)
        switch folder.state(of: file.path) {
        case .ours(let known)
        where try known.digest == nil || !isTrusting ? holds(file) : known.digest == owned.digest:
            folder.adopt(file.path, owned)
            unchanged.append(file.path)
        case .foreignFile where try holds(file):
            folder.adopt(file.path, owned)
            unchanged.append(file.path)
        case .foreign, .foreignFile:
            throw .foreign(path: root.fullPath(file.path))
        case .ours, .absent, .staged:
            try staging.add(file)
            folder.stage(file.path, owned)
        }
    }

    /// Puts everything in place, in the order in which it was published, and then removes what was ours and is neither
    /// published nor in `keeping`, and folders of ours that are left empty.
    /// - Throws: `SiteError.write`. Before the first file is in place the site is then what it was; after that, the
    ///   next run completes it.
    package mutating func finish(keeping: Set<String>) throws(SiteError) -> PublishResult {
        let written = try staging.commit()
        folder.commit()
        let removed = try remove(folder.leftovers(keeping: keeping))
        try removeTemporaries()
        if !written.isEmpty || !removed.isEmpty { try root.sync() }
        defer { unchanged = [] }
        return PublishResult(written: written, unchanged: unchanged, removed: removed, owned: folder.owned)
    }

    private func holds(_ file: SiteFile) throws(SiteError) -> Bool {
        let (folder, name) = try root.place(of: file.path)
        return try OpenFile(reading: name, in: folder).holds(file.bytes)
    }

    private func holdsTheSame(_ path: String, as other: String) throws(SiteError) -> Bool {
        let (folder, name) = try root.place(of: path)
        return try OpenFile(reading: name, in: folder).holdsTheSame(as: OpenFile(reading: other))
    }

    /// - Returns: What was there and is removed, sorted.
    private mutating func remove(_ paths: [String]) throws(SiteError) -> [String] {
        var removed: [String] = []
        var folders: Set<String> = []
        for path in paths.sorted() {
            if folder.standsThere(path) {
                let (parent, name) = try root.place(of: path)
                try parent.remove(name)
                removed.append(path)
                if let slash = path.firstIndex(of: "/") { folders.insert(String(path[..<slash])) }
            }
            folder.disown(path)
        }
        for name in folders.sorted() { try root.removeIfEmpty(name) }
        return removed
    }

    /// What runs that were killed have left.
    private mutating func removeTemporaries() throws(SiteError) {
        for name in folder.temporaries {
            guard let site = root.folder else { return }
            let temporary = try site.folder(name)
            var files: [String] = []
            try temporary.forEachEntry { entry, kind in if kind == .file { files.append(entry) } }
            for file in files { try temporary.remove(file) }
            try site.removeEmptyFolder(name)
        }
        folder.temporaries = []
    }
}

/// What a publisher has done.
package struct PublishResult: Hashable, Sendable {
    /// In the order in which they were put in place.
    package let written: [String]
    package let unchanged: [String]
    package let removed: [String]
    /// All files that are ours now.
    package let owned: [String: OwnedFile]
}
