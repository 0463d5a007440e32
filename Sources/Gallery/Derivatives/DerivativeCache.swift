internal import Foundation
internal import Imaging
package import Ledger
internal import PhotoModel
internal import Site
internal import Synchronization

/// The derivatives that already exist, in the state folder or in the output folder. A file is looked up only when it is
/// asked for.
package final class DerivativeCache: Sendable {
    /// The folder for new derivatives.
    let folder: String
    /// The folder of published derivatives; nil if none are published.
    private let published: String?
    /// The names of derivatives that are in a store of several machines and need not be on this one.
    private let shared: Set<FileNameHash>
    private let state: Mutex<State>
    /// The folder is opened before the first file is written there, so that syncfs(2) reports every write error since
    /// then.
    private let disk: SyncedFolder

    private struct State {
        /// Derivatives that were requested or rendered in this build.
        var found: [FileNameHash: Derivative] = [:]
        /// The photos of the ledger. Making the index empties this, because the rows of finished photos are released.
        var photos: [Digest: PhotoRow]
        /// The sizes in bytes of the pictures of earlier publications that are still in the output folder, by file
        /// name.
        var retained: [String: Int64]
        /// The derivatives that are complete according to the ledger; nil before the first use.
        var remembered: [FileNameHash: Derivative]?
        /// The names of derivatives that must be synchronised. If one call of syncfs(2) can synchronise all, the list
        /// stops growing as soon as it is too long for a call of fsync(2) each.
        var unsynced: [String] = []
        let tracksEveryName: Bool

        init(_ photos: [Digest: PhotoRow], retained: [String: Int64], tracksEveryName: Bool) {
            self.photos = photos
            self.retained = retained
            self.tracksEveryName = tracksEveryName
        }

        /// A derivative that is complete according to the ledger.
        mutating func remembered(_ key: FileNameHash) -> Derivative? { index()[key] }

        private mutating func index() -> [FileNameHash: Derivative] {
            if let remembered { return remembered }
            var index: [FileNameHash: Derivative] = [:]
            index.reserveCapacity(photos.count + retained.count)
            for (name, bytes) in retained { index[FileNameHash(name)] = Derivative(bytes: bytes) }
            for photo in photos.values {
                for picture in photo.pictures {
                    let key = FileNameHash(picture.fileName)
                    // Several photos can show the same picture, and not all of their rows have its colour.
                    if index[key]?.colour != nil { continue }
                    index[key] = Derivative(bytes: picture.bytes, colour: picture.colour)
                }
            }
            photos = [:]
            retained = [:]
            remembered = index
            return index
        }

        mutating func addUnsynced(_ name: String) {
            if tracksEveryName || unsynced.count <= FileSystemSync.individualSyncLimit { unsynced.append(name) }
        }
    }

    private struct Derivative {
        /// The size in bytes; 0 for a derivative that must be rendered.
        var bytes: Int64
        /// The mean colour. Only the narrowest derivative of a photo has one.
        var colour: String?
    }

    /// - Parameters:
    ///   - folder: the path of the folder of derivatives in the state folder.
    ///   - published: the path of the folder of pictures in the output folder; nil if there is none.
    ///   - snapshot: the ledger's content, for its photos and their pictures.
    ///   - retained: the sizes in bytes of the pictures of earlier publications that are still in the output folder, by
    ///     file name.
    ///   - shared: the names of derivatives of the ledger that are in a store of several machines and need not be on
    ///     this one.
    package init(
        folder: String, published: String?, snapshot: LedgerSnapshot, retained: [String: Int64] = [:],
        shared: some Sequence<String> = []
    ) {
        self.folder = folder
        self.published = published
        self.shared = Set(shared.lazy.map { FileNameHash($0) })
        disk = SyncedFolder(folder)
        state = Mutex(State(snapshot.photos, retained: retained, tracksEveryName: !disk.reportsErrors))
    }

    /// Removes the temporary files of a killed build. Their names begin with a dot.
    static func removeTemporaryFiles(in folder: String) {
        // A file that can't be removed is left to the next build. If the folder can't be listed, all of them are.
        let hidden = names(in: folder) { $0[0] == CChar(UInt8(ascii: ".")) }.names
        for name in hidden where name.hasSuffix(".tmp") { unlink(folder + "/" + name) }
    }

    /// Removes the derivatives without these names. A file that can't be removed stays.
    static func removeFiles(in folder: String, except used: Set<String>) {
        let found = names(in: folder) { !used.contains(String(cString: $0)) }.names
        for name in found where name != "." && name != ".." { unlink(folder + "/" + name) }
    }

    /// The names in a folder that satisfy a condition. Other names, of which there can be many more, are not stored.
    /// - Returns: the names, sorted by inode, because files that lie near each other on the disk are removed fastest.
    ///   If the listing failed part of the way, they are the names found until then, and `errno` says why. Otherwise
    ///   `errno` is 0.
    private static func names(
        in folder: String, where isWanted: (UnsafePointer<CChar>) -> Bool
    ) -> (names: [String], errno: Int32) {
        guard let listing = opendir(folder) else { return ([], errno) }
        defer { closedir(listing) }
        var found: [(inode: UInt64, name: String)] = []
        errno = 0
        while let entry = readdir(listing) {
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                // readdir(3) ends the name with NUL within the bounds of `d_name`.
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

    /// The number of derivatives that are looked up without the index.
    private static let unindexedLimit = 300

    /// The size of a derivative in bytes; nil if it must be rendered.
    func bytes(of name: String) -> Int64? {
        let key = FileNameHash(name)
        if let found = state.withLock({ $0.found[key] }) { return found.bytes > 0 ? found.bytes : nil }
        // If there is no file, the index of all derivatives need not be made. With many photos it is made all the same,
        // so that rows of finished photos can be released.
        let needsIndex =
            state.withLock { $0.remembered != nil || $0.found.count >= Self.unindexedLimit } || shared.contains(key)
            || folders.contains { Self.size(of: $0 + "/" + name) != nil }
        let remembered = needsIndex ? state.withLock { $0.remembered(key) } : nil
        // The files are inspected without the lock, because a cold disk is slow. Two threads might inspect the same
        // file.
        let seen: Presence = remembered.map { presence(of: name, key, bytes: $0.bytes) } ?? .missing
        return state.withLock { state -> Int64? in
            // Another thread might have rendered the derivative while this one inspected the disk.
            if let known = state.found[key] { return known.bytes > 0 ? known.bytes : nil }
            // The build that rendered the derivative might have been killed before it could synchronise it.
            if seen == .unpublished { state.addUnsynced(name) }
            let bytes = seen == .missing ? nil : remembered?.bytes
            state.found[key] = Derivative(bytes: bytes ?? 0, colour: remembered?.colour)
            return bytes
        }
    }

    private enum Presence {
        case published, unpublished, missing
    }

    /// Finds a derivative of this size on the disk. After a power cut, a file can be shorter than it was written. Such
    /// a file is rendered again.
    private func presence(of name: String, _ key: FileNameHash, bytes: Int64) -> Presence {
        if shared.contains(key) { return .published }
        if let published, Self.size(of: published + "/" + name) == bytes { return .published }
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

    /// Notes that a derivative is in no folder any more, so that it is rendered again.
    func forget(_ name: String) { state.withLock { $0.found[FileNameHash(name)] = Derivative(bytes: 0) } }

    /// The folders in which a derivative can be.
    private var folders: [String] { [folder] + [published].compactMap(\.self) }

    /// The path of a derivative in the state folder, whether or not the file exists.
    func path(of name: String) -> String { folder + "/" + name }

    /// The mean colour of an existing derivative.
    /// - Returns: nil if the file is not a picture after all. The photo is published all the same.
    /// - Throws: `ImagingError.read` if the file can't be read, with `ENOENT` if it is in no folder. The site must not
    ///   lack a colour that the next build could read.
    func colour(of name: String) throws(ImagingError) -> String? {
        let key = FileNameHash(name)
        let known = state.withLock { state in
            if let found = state.found[key] { found.colour } else { state.remembered(key)?.colour }
        }
        if let known { return known }
        for folder in folders {
            do {
                let colour = try DerivativeMaker.colour(ofDerivativeAt: folder + "/" + name)
                state.withLock { $0.found[key]?.colour = colour }
                return colour
            } catch .read(_, ENOENT) {
                // The derivative might be in the other folder.
                continue
            } catch .picture {
                return nil
            }
        }
        throw .read(path: folder + "/" + name, errno: ENOENT)
    }

    /// Releases the known derivatives and their colours. After this, derivatives are only moved into place.
    func discardIndex() {
        state.withLock { state in
            state.found = [:]
            state.photos = [:]
            state.retained = [:]
            state.remembered = nil
        }
    }

    /// Makes the new derivatives durable, before anything refers to them.
    func sync() throws(SiteError) {
        let names = state.withLock { state in
            defer { state.unsynced = [] }
            return state.unsynced
        }
        try disk.sync(names)
    }

    /// Files in the folder of derivatives that are not needed.
    struct Unused: Sendable {
        /// The names of the files, in the order in which they are removed fastest.
        var names: [String] = []
        /// The message about the reason why they could not be found; nil if they were.
        var problem: String?
    }

    /// Finds the derivatives that no photo shows any more, and the temporary files of a killed build.
    func unused(except used: ReferencedFiles) -> Unused {
        let found = Self.names(in: folder) { !used.contains(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        guard found.errno == 0 else {
            return Unused(problem: "\(folder) can't be listed: \(systemMessage(found.errno))")
        }
        return Unused(names: found.names.filter { $0 != "." && $0 != ".." })
    }

    /// - Returns: the messages about files that could not be removed.
    func remove(_ unused: Unused) -> [String] {
        unused.names.compactMap { name in
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
