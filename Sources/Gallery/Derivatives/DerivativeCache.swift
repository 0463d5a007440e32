internal import Foundation
internal import Imaging
package import Ledger
internal import PhotoModel
internal import Site
internal import Synchronization

/// The derivatives that are already made: those in the state folder, and those in the output folder. Each is looked for
/// when it is asked for, and no other.
package final class DerivativeCache: Sendable {
    /// The folder for new derivatives.
    let folder: String
    /// The folder of published derivatives.
    private let published: String
    private let state: Mutex<State>
    /// The folder is open before the first file is written there, so that no write error goes unnoticed.
    private let disk: SyncedFolder

    private struct State {
        /// Derivatives that were requested or rendered in this build.
        var found: [FileNameHash: Derivative] = [:]
        /// The photos of the ledger. Emptied by the first use, because rows of finished photos are released.
        var photos: [Digest: PhotoRow]
        /// Pictures of earlier publications that are still in the output folder: file name → bytes.
        var kept: [String: Int64]
        /// Derivatives that are complete according to the ledger; nil before the first use.
        var remembered: [FileNameHash: Derivative]?
        /// Names of no more than are synchronised one by one, where one call does for the others.
        var unsynced: [String] = []
        let tracksEveryName: Bool

        init(_ photos: [Digest: PhotoRow], kept: [String: Int64], tracksEveryName: Bool) {
            self.photos = photos
            self.kept = kept
            self.tracksEveryName = tracksEveryName
        }

        /// The facts about a derivative that is complete according to the ledger.
        mutating func remembered(_ key: FileNameHash) -> Derivative? { index()[key] }

        private mutating func index() -> [FileNameHash: Derivative] {
            if let remembered { return remembered }
            var index: [FileNameHash: Derivative] = [:]
            index.reserveCapacity(photos.count + kept.count)
            for (name, bytes) in kept { index[FileNameHash(name)] = Derivative(bytes: bytes) }
            for photo in photos.values {
                for picture in photo.pictures {
                    let key = FileNameHash(picture.fileName)
                    // Several photos may show the picture, and not each of their rows need have its colour.
                    if index[key]?.colour != nil { continue }
                    index[key] = Derivative(bytes: picture.bytes, colour: picture.colour)
                }
            }
            photos = [:]
            kept = [:]
            remembered = index
            return index
        }

        mutating func addUnsynced(_ name: String) {
            if tracksEveryName || unsynced.count <= DiskSync.filesSyncedOneByOne { unsynced.append(name) }
        }
    }

    private struct Derivative {
        /// 0 for one that has to be made.
        var bytes: Int64
        /// The mean colour, for the narrowest derivatives only.
        var colour: String?
    }

    /// - Parameters:
    ///   - folder: of the state folder.
    ///   - published: the folder of pictures in the output folder.
    ///   - snapshot: what is remembered of the photos and their pictures.
    ///   - kept: pictures of earlier publications that are still in the output folder: file name → bytes.
    package init(folder: String, published: String, snapshot: LedgerSnapshot, kept: [String: Int64] = [:]) {
        self.folder = folder
        self.published = published
        disk = SyncedFolder(folder)
        state = Mutex(State(snapshot.photos, kept: kept, tracksEveryName: !disk.reports))
    }

    /// Removes what a killed build had begun to write; their names begin with a dot.
    static func removeTemporaryFiles(in folder: String) {
        // A file that can't be removed is left to the next build, and so are all files if the folder can't be listed.
        let hidden = names(in: folder) { $0[0] == CChar(UInt8(ascii: ".")) }.names
        for name in hidden where name.hasSuffix(".tmp") { unlink(folder + "/" + name) }
    }

    /// The names in a folder that somebody wants, of which there may be many fewer than there are names. No other is
    /// held.
    /// - Returns: what was found before the folder could not be read any further, for the reason `errno`; 0 if all
    ///   was. In the order of their inodes, which is how they lie on the disk and are removed the quickest.
    private static func names(
        in folder: String, where isWanted: (UnsafePointer<CChar>) -> Bool
    ) -> (names: [String], errno: Int32) {
        guard let listing = opendir(folder) else { return ([], errno) }
        defer { closedir(listing) }
        var found: [(inode: UInt64, name: String)] = []
        errno = 0
        while let entry = readdir(listing) {
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                // The system ends the name with a zero, within the room that it has for it.
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) { name in
                    if isWanted(name) { found.append((UInt64(entry.pointee.d_ino), String(cString: name))) }
                }
            }
            errno = 0
        }
        let failure = errno
        found.sort { $0.inode < $1.inode }
        return (found.map(\.name), failure)
    }

    /// The size of a derivative that is there; nil for one that must be made.
    func bytes(of name: String) -> Int64? {
        let key = FileNameHash(name)
        let (found, remembered) = state.withLock { state in
            (state.found[key], state.found[key] == nil ? state.remembered(key) : nil)
        }
        if let found { return found.bytes > 0 ? found.bytes : nil }
        // Files are looked at while nobody waits for the lock: a cold disk takes its time. Two threads may look at
        // the same.
        let seen: Presence = remembered.map { presence(of: name, bytes: $0.bytes) } ?? .missing
        return state.withLock { state -> Int64? in
            // Another thread may have made it meanwhile.
            if let known = state.found[key] { return known.bytes > 0 ? known.bytes : nil }
            // The build that made it may have been killed before it could synchronise it.
            if seen == .unpublished { state.addUnsynced(name) }
            let bytes = seen == .missing ? nil : remembered?.bytes
            state.found[key] = Derivative(bytes: bytes ?? 0, colour: remembered?.colour)
            return bytes
        }
    }

    private enum Presence {
        case published, unpublished, missing
    }

    /// The path of a derivative of this size. A power cut may leave a file shorter than it was written: such a file is
    /// rendered again.
    private func presence(of name: String, bytes: Int64) -> Presence {
        if Self.size(of: published + "/" + name) == bytes { return .published }
        let path = folder + "/" + name
        return Self.size(of: path) == bytes && !hasZeroedBlock(path) ? .unpublished : .missing
    }

    func add(_ name: String, bytes: Int64) {
        state.withLock { state in
            let key = FileNameHash(name)
            state.found[key] = Derivative(bytes: bytes, colour: state.found[key]?.colour)
            state.addUnsynced(name)
        }
    }

    /// The path of a derivative in the state folder, whether or not the file is there.
    func path(of name: String) -> String { folder + "/" + name }

    /// The colour of a derivative that is there.
    /// - Returns: nil if it is no picture after all, which is no reason to do without the photo.
    /// - Throws: `ImagingError.read` if it can't be read: what the next build could read must not be missing in the
    ///   site.
    func colour(of name: String) throws(ImagingError) -> String? {
        let key = FileNameHash(name)
        if let known = state.withLock({ $0.found[key]?.colour ?? $0.remembered(key)?.colour }) { return known }
        for folder in [folder, published] {
            do {
                let colour = try DerivativeMaker.colour(ofDerivativeAt: folder + "/" + name)
                state.withLock { $0.found[key]?.colour = colour }
                return colour
            } catch .read(_, ENOENT) {
                // The derivative is in the other folder.
                continue
            } catch .picture {
                return nil
            }
        }
        return nil
    }

    /// Releases what is known of derivatives and their colours. After this they are only moved into place.
    func forgetKnown() {
        state.withLock { state in
            state.found = [:]
            state.photos = [:]
            state.kept = [:]
            state.remembered = nil
        }
    }

    /// Makes the derivatives that were added durable, before anything refers to them.
    func sync() throws(SiteError) {
        let names = state.withLock { state in
            defer { state.unsynced = [] }
            return state.unsynced
        }
        if names.count > DiskSync.filesSyncedOneByOne, disk.reports { return try disk.syncAll() }
        for name in names {
            let path = path(of: name)
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .write(path: path, errno: errno) }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else { throw .write(path: path, errno: errno) }
        }
    }

    /// Removes those that no photo shows any more, and what a killed build left.
    /// - Returns: what could not be removed, for people.
    func prune(keeping used: ReferencedFiles) -> [String] {
        let found = Self.names(in: folder) { !used.contains(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        guard found.errno == 0 else { return ["\(folder) can't be listed: \(systemMessage(found.errno))"] }
        return found.names.filter { $0 != "." && $0 != ".." }.compactMap { name in
            let path = path(of: name)
            guard unlink(path) != 0 else { return nil }
            let code = errno
            return "\(path) can't be removed: \(systemMessage(code))"
        }
    }

    static func size(of path: String) -> Int64? {
        var status = stat()
        return lstat(path, &status) == 0 ? Int64(status.st_size) : nil
    }
}
