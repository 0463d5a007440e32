internal import Foundation
internal import PhotoModel

/// New files on their way into the site: all are written under temporary names first, and then renamed, one after the
/// other, into their places. Until then the site is what it was, and what is not committed is removed on release.
final class Staging {
    /// A file that waits, and the path at which it will appear.
    private struct Waiting {
        let path: String
        let number: Int32
        let step: Step
        /// A hard link: who made the file has seen to it that its content lasts.
        var isLink = false
    }

    /// In what order files appear: nothing before what it refers to, also when both are new. Each step is on the disk
    /// before the next begins.
    private enum Step: CaseIterable {
        /// New pictures, styles and scripts: nothing refers to them yet.
        case pictures
        /// What tells open pages of new pictures: pages refer to it.
        case live
        /// New pages: they refer to one another, and no page that a reader can come from leads to them yet.
        case newPages
        /// What there is already, and the files by which a reader comes in.
        case entrances
        /// By which most come in, and from which all others are reached.
        case frontPage

        init(_ path: String, isNew: Bool) {
            self =
                switch path {
                case SitePath.index: .frontPage
                case SitePath.live: .live
                case _ where !isNew || !path.contains("/"): .entrances
                default: path.hasPrefix("images/") || path.hasPrefix("assets/") ? .pictures : .newPages
                }
        }
    }

    /// With more files than this, one sync of everything is many times as fast as one for each file.
    private static let filesSyncedOneByOne = 16

    private let root: SiteRoot
    private var name = ""
    private var folder: Folder?
    private var waiting: [Waiting] = []
    private var count: Int32 = 0
    private var shortage = Shortage()
    /// How large the file is that was added last, in bytes.
    private var lastBytes: Int64 = 0

    init(root: SiteRoot) { self.root = root }

    deinit { discard() }

    /// Whether a killed run may have left this entry of the site's folder.
    static func isTemporary(_ name: String) -> Bool {
        guard let hex = name.removing(prefix: ".gallerygen-")?.removing(suffix: ".tmp") else { return false }
        return hex.utf8.count == 16 && hex.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// - Parameter isNew: Whether nothing is at its path yet.
    func add(_ file: SiteFile, isNew: Bool) throws(SiteError) {
        count(Int64(file.bytes.count))
        try unlessShort { () throws(SiteError) in
            let (folder, number) = try nextPlace()
            waiting.append(Waiting(path: file.path, number: number, step: Step(file.path, isNew: isNew)))
            try OpenFile(creating: String(number), in: folder).write(file.bytes)
        }
    }

    /// Adds a file that is made as it is written.
    /// - Returns: its digest, and its size in bytes.
    func add(_ stream: SiteStream, isNew: Bool) throws(SiteError) -> (digest: Digest, bytes: Int64) {
        var written: (digest: Digest, bytes: Int64)?
        try unlessShort { () throws(SiteError) in
            let (folder, number) = try nextPlace()
            waiting.append(Waiting(path: stream.path, number: number, step: Step(stream.path, isNew: isNew)))
            let file = try OpenFile(creating: String(number), in: folder)
            written = try Self.make(stream) { (piece) throws(SiteError) in try file.write(piece) }
        }
        let made = if let written { written } else { try Self.make(stream) { (_) throws(SiteError) in } }
        count(made.bytes)
        return made
    }

    private static func make(
        _ stream: SiteStream, _ write: ([UInt8]) throws(SiteError) -> Void
    ) throws(SiteError) -> (digest: Digest, bytes: Int64) {
        var hasher = ContentHasher()
        var bytes: Int64 = 0
        try stream.make { (piece) throws(SiteError) in
            hasher.update(piece.span.bytes)
            bytes += Int64(piece.count)
            try write(piece)
        }
        return (hasher.finish(), bytes)
    }

    private func count(_ bytes: Int64) {
        shortage.count(bytes)
        lastBytes = bytes
    }

    /// Does some work, unless room for it has run out before.
    private func unlessShort(_ work: () throws(SiteError) -> Void) throws(SiteError) {
        guard !shortage.isShort else { return }
        do {
            try work()
        } catch {
            try shortage.note(error)
            discard()
        }
    }

    /// - Throws: `SiteError.full` if room ran out: to be called before anything is done by which the files are to appear.
    func checkRoom() throws(SiteError) { try shortage.check(root.folder) }

    /// Gives up the file that was added last.
    func dropLast() {
        shortage.discount(lastBytes)
        guard let file = waiting.popLast(), let folder else { return }
        // What can't be removed now goes with the folder.
        unlinkat(folder.descriptor, String(file.number), 0)
    }

    /// Adds the file at `source` by a hard link, or by a copy where the file system has none.
    /// - Returns: Its size in bytes.
    func add(_ path: String, linking source: String) throws(SiteError) -> Int64 {
        let original = try OpenFile(reading: source)
        let bytes = try original.size()
        var isLink = shortage.isShort ? try original.isOnSameDisk(as: root.folder) : false
        try unlessShort { () throws(SiteError) in
            let (folder, number) = try nextPlace()
            isLink = linkat(AT_FDCWD, source, folder.descriptor, String(number), AT_SYMLINK_FOLLOW) == 0
            waiting.append(Waiting(path: path, number: number, step: Step(path, isNew: true), isLink: isLink))
            if !isLink { try OpenFile(creating: String(number), in: folder).copy(from: original) }
        }
        // A link takes no room.
        count(isLink ? 0 : bytes)
        return bytes
    }

    /// Moves all files to their places: step by step, and within a step in the order in which they were added.
    /// - Parameter isLasting: false where it does not matter whether a power cut takes the names back.
    /// - Returns: Their paths, in that order.
    /// - Throws: `SiteError.write`, or `.full`; what was in their places is then there again.
    @discardableResult
    func commit(isLasting: Bool = true) throws(SiteError) -> [String] {
        try checkRoom()
        guard let folder else { return [] }
        // What may still need room on the disk is done before the first file changes.
        for path in waiting.lazy.map(\.path) { _ = try root.place(of: path) }
        try syncFiles(in: folder)
        let exchange = Exchange(staging: folder, root: root, count: waiting.count)
        for file in waiting { try exchange.prepare(file.path, number: file.number) }
        do throws(SiteError) {
            for step in Step.allCases {
                var isEmpty = true
                for file in waiting where file.step == step {
                    try exchange.put(file.path, number: file.number)
                    isEmpty = false
                }
                if !isEmpty && isLasting { try root.sync() }
            }
        } catch {
            exchange.undo()
            throw error
        }
        exchange.forget()
        waiting = []
        discard()
        return exchange.done
    }

    private func nextPlace() throws(SiteError) -> (Folder, Int32) {
        count += 1
        if let folder { return (folder, count) }
        let hex = String(UInt64.random(in: .min ... .max), radix: 16)
        name = ".gallerygen-" + String(repeating: "0", count: 16 - hex.count) + hex + ".tmp"
        let made = try root.make().makeFolder(name)
        folder = made
        return (made, count)
    }

    private func syncFiles(in folder: Folder) throws(SiteError) {
        #if os(Linux)
            // Elsewhere sync() need not wait; and syncfs(), which would do, is not visible to Swift.
            if waiting.count(where: { !$0.isLink }) > Self.filesSyncedOneByOne { return Foundation.sync() }
        #endif
        for file in waiting where !file.isLink { try OpenFile(reading: String(file.number), in: folder).sync() }
    }

    /// Removes what was not committed, and the folders that were made for it. What can't be removed now is left for
    /// the next run to remove.
    func discard() {
        guard let folder else { return }
        for file in waiting { unlinkat(folder.descriptor, String(file.number), 0) }
        waiting = []
        self.folder = nil
        root.unmake(temporary: name)
    }
}
