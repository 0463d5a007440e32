internal import Foundation
internal import Imaging
package import Ledger
internal import Site
internal import Synchronization

/// The derivatives that are already made: those in the state folder, and those in the output folder. Each is looked for
/// when it is asked for, and no other.
package final class DerivativeCache: Sendable {
    /// Where new ones are made.
    let folder: String
    /// Where they stand in the output folder.
    private let published: String
    private let state: Mutex<State>

    private struct State {
        /// File name → bytes; 0 for one that has to be made.
        var found: [String: Int64] = [:]
        /// What the ledger knows of photos; empty once it has been asked for, as rows of photos that are done are to go.
        var photos: [String: PhotoRow]
        /// By the hash of a file name: of those that the ledger knows to be complete, the pictures of a photo that has it.
        /// Nil while nobody asked.
        var remembered: [Int: PictureList]?
        /// By file name, those that the ledger does not know: several photos may show one new picture.
        var colours: [String: String] = [:]
        var unsynced: [String] = []

        init(_ photos: [String: PhotoRow]) { self.photos = photos }

        /// What is known of a derivative that the ledger knows to be complete.
        mutating func remembered(_ name: String) -> PublishedPicture? {
            index()[name.hashValue].flatMap { Self.picture(name, of: $0) }
        }

        /// No more than a hash of each name: there may be several a photo.
        private mutating func index() -> [Int: PictureList] {
            if let remembered { return remembered }
            var index: [Int: PictureList] = [:]
            index.reserveCapacity(photos.count)
            for photo in photos.values {
                for name in photo.pictureList.fileNames {
                    // Of several photos that show it, not each need know its colour.
                    let isKnown = index[name.hashValue].map { Self.picture(name, of: $0)?.colour != nil } ?? false
                    if !isKnown { index[name.hashValue] = photo.pictureList }
                }
            }
            photos = [:]
            remembered = index
            return index
        }

        private static func picture(_ name: String, of list: PictureList) -> PublishedPicture? {
            list.pictures.first { $0.fileName == name }
        }
    }

    /// - Parameters:
    ///   - folder: of the state folder.
    ///   - published: the folder of pictures in the output folder.
    ///   - snapshot: what is remembered of the photos and their pictures.
    package init(folder: String, published: String, snapshot: LedgerSnapshot) {
        self.folder = folder
        self.published = published
        state = Mutex(State(snapshot.photos))
    }

    /// Removes what a killed build had begun to write; their names begin with a dot.
    static func removeBeginnings(in folder: String) {
        guard let listing = opendir(folder) else { return }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                // The system ends the name with a zero, within the room that it has for it.
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) { name in
                    if name[0] == CChar(UInt8(ascii: ".")) { names.append(String(cString: name)) }
                }
            }
        }
        // One that can't be removed is left to the next build.
        for name in names where name.hasSuffix(".tmp") { unlink(folder + "/" + name) }
    }

    /// The size of a derivative that is there; nil for one that must be made.
    func bytes(of name: String) -> Int64? {
        state.withLock { state in
            if let known = state.found[name] { return known > 0 ? known : nil }
            let remembered = state.remembered(name)
            // A power cut may leave a file shorter than it was made: such a one is made again.
            let bytes = remembered.flatMap { remembered -> Int64? in
                let bytes = remembered.bytes
                if Self.size(of: published + "/" + name) == bytes { return bytes }
                let path = folder + "/" + name
                guard Self.size(of: path) == bytes, !hasLostPages(path) else { return nil }
                // The build that made it may have been killed before it could synchronise it.
                state.unsynced.append(name)
                return bytes
            }
            state.found[name] = bytes ?? 0
            return bytes
        }
    }

    func add(_ name: String, bytes: Int64) {
        state.withLock { state in
            state.found[name] = bytes
            state.unsynced.append(name)
        }
    }

    /// Where a derivative is, unless it only stands in the output folder.
    func path(of name: String) -> String { folder + "/" + name }

    /// The colour of a derivative that is there; nil if it can't be read now, which is no reason to do without the photo.
    func colour(of name: String) -> String? {
        let known: String? = state.withLock { state in
            if let colour = state.colours[name] { return colour }
            return state.remembered(name)?.colour
        }
        if let known { return known }
        for folder in [folder, published] {
            // It stands in one of the two, and a photo can do without.
            guard let colour = try? DerivativeMaker.colour(ofDerivativeAt: folder + "/" + name) else { continue }
            state.withLock { $0.colours[name] = colour }
            return colour
        }
        return nil
    }

    /// Lets go of what is known of derivatives and their colours: from here on they are only put in place.
    func forgetKnown() {
        state.withLock { state in
            state.found = [:]
            state.photos = [:]
            state.remembered = nil
            state.colours = [:]
        }
    }

    /// Makes what was added last through a power cut, before anything refers to it.
    func sync() throws(SiteError) {
        let names = state.withLock { state in
            defer { state.unsynced = [] }
            return state.unsynced
        }
        // One synchronisation of everything costs less than many of single files.
        if names.count > 16 { return Foundation.sync() }
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
    func prune(keeping used: Set<String>) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            return ["\(folder) can't be listed: \(error.systemWords)"]
        }
        return names.filter { !used.contains($0) }.compactMap { name in
            unlink(path(of: name)) == 0
                ? nil : "\(path(of: name)) can't be removed: \(String(cString: strerror(errno)))"
        }
    }

    static func size(of path: String) -> Int64? {
        var status = stat()
        return lstat(path, &status) == 0 ? Int64(status.st_size) : nil
    }
}
