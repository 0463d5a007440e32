internal import Dispatch
internal import Foundation
internal import GRDB
package import PhotoModel
internal import Synchronization

/// The program's memory between builds: one SQLite file in the state folder. All calls are thread-safe.
///
/// Once a change has failed, each later change throws the same error and is not tried: after a failed synchronisation,
/// a disk might seem to accept the next one without having kept the data.
package final class Ledger: Sendable {
    private let queue: DatabaseQueue
    private let path: String
    /// Whether threads can read while others use the ledger, as a write-ahead log allows.
    package let allowsReaders: Bool
    /// The reads on connections of their own.
    private let readers = DispatchGroup()
    /// Whether no further read may begin on a connection of its own.
    private let isClosed = Mutex(false)
    let paths: StoredPaths
    /// The error of the first failed transaction. The lock is held during each transaction.
    private let failure = Mutex<LedgerError?>(nil)
    /// The gallery whose photos and albums are read and written. Galleries that share a state folder do not see each
    /// other's rows.
    let gallery: String

    /// Opens the ledger at `path`, or creates it. A ledger of an older version is migrated.
    /// - Parameters:
    ///   - gallery: the key of the gallery among those with the same state folder. It is ignored if `identity` is
    ///     given.
    ///   - identity: the manifests and the output folder of the gallery. If the gallery was moved, its rows are found
    ///     and renamed.
    ///   - journal: the journal mode: `.rollback` if the file system is known to lack the shared memory that a
    ///     write-ahead log needs. If this shows only when the ledger is opened, the rollback journal is used, too.
    /// - Throws: `LedgerError.unreadable` for a file that should be set aside, `LedgerError.storage` or
    ///   `.denied` if the disk refuses access.
    package init(
        path: String, gallery: String = "", identity: GalleryIdentity? = nil, journal: JournalMode = .writeAhead
    ) throws(LedgerError) {
        let paths = StoredPaths(ofLedgerAt: path)
        self.path = path
        self.paths = paths
        self.gallery = identity?.key(paths) ?? gallery
        try Schema.checkHeader(ofFileAt: path)
        let relocation = identity.map { Relocation(identity: $0, paths: paths) }
        (queue, allowsReaders) = try Self.reporting(path) {
            let queue: DatabaseQueue
            do {
                queue = try Self.queue(path, paths, relocation, journal)
            } catch let error as DatabaseError where error.isWithoutSharedMemory {
                queue = try Self.queue(path, paths, relocation, .rollback)
            }
            return (queue, try queue.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        }
    }

    private static func queue(
        _ path: String, _ paths: StoredPaths, _ relocation: Relocation?, _ journal: JournalMode
    ) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { try journal.prepare($0) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        do {
            try queue.write { database in
                try Schema.prepare(database, path: path, paths)
                try relocation?.run(database)
            }
        } catch let error as DatabaseError {
            let reported = LedgerError(
                error, path: path, isBroughtUpToDate: true, isIntact: { Schema.isIntact(queue) })
            if reported.isRefusal { queue.keepJournalAtClose() }
            throw error.isWithoutSharedMemory ? error : reported
        }
        return queue
    }

    /// Opens a ledger for reading while other processes might write it. Nothing in the file is changed, even if its
    /// version is an older one.
    /// - Parameters:
    ///   - wait: the longest wait for another process's transaction, in seconds; nil for that of builds.
    ///   - isInUse: whether another process may have the ledger open even if there is no journal.
    /// - Returns: nil if there is no ledger, or nothing was ever recorded in it.
    package init?(
        reading path: String, gallery: String = "", identity: GalleryIdentity? = nil, wait: Double? = nil,
        isInUse: Bool = false
    ) throws(LedgerError) {
        let paths = StoredPaths(ofLedgerAt: path)
        let relocation = identity.map { Relocation(identity: $0, paths: paths) }
        self.path = path
        self.paths = paths
        self.gallery = identity?.key(paths) ?? gallery
        guard try Self.isThere(path) else { return nil }
        let opened = try Self.reporting(path) { () -> DatabaseQueue? in
            let queue = try DatabaseQueue.reading(path, wait: wait ?? Self.busyTimeout, isInUse: isInUse)
            let isCurrent = try queue.read { database -> Bool? in
                if try Schema.isEmpty(database) { return nil }
                try Schema.check(database, path: path)
                guard try Schema.storedVersion(database) == Schema.version else { return false }
                return try relocation.map { try !$0.isNeeded(database) } ?? true
            }
            guard let isCurrent else { return nil }
            if isCurrent { return queue }
            let copy = try DatabaseQueue()
            try queue.backup(to: copy)
            do {
                try copy.write { database in
                    try Migration.run(database, paths)
                    try relocation?.run(database)
                }
            } catch let error as DatabaseError {
                throw LedgerError(error, path: path, isBroughtUpToDate: true, isIntact: { Schema.isIntact(queue) })
            }
            return copy
        }
        guard let opened else { return nil }
        queue = opened
        allowsReaders = false
    }

    /// - Throws: `LedgerError.denied` if a folder may not be searched.
    private static func isThere(_ path: String) throws(LedgerError) -> Bool {
        guard access(path, F_OK) != 0 else { return true }
        if errno == EACCES { throw .denied(path: (path as NSString).deletingLastPathComponent) }
        return false
    }

    /// The longest wait for another process's transaction, in seconds.
    private static let busyTimeout = 10.0

    /// Closes the ledger when all reads have ended. The file is then complete without its journal, unless the disk has
    /// refused a change. No call may follow.
    package func close() {
        // The connection that is closed last merges the journal into the file, and one for reading can't do that.
        isClosed.withLock { $0 = true }
        readers.wait()
        // A journal that can't be merged into the file now stays, and the next process to open the ledger recovers it.
        try? queue.close()
    }

    package func record(_ source: SourceRow) throws(LedgerError) { try record([.source(source)]) }

    /// Records an original's facts and the state of its photo in one transaction.
    package func record(_ photo: PhotoRow, original: OriginalRow?) throws(LedgerError) {
        try record([.photo(photo, original)])
    }

    /// Records the results of a build in one transaction. Recording a photo increases the revision of the gallery.
    package func record(_ entries: [LedgerEntry]) throws(LedgerError) {
        try write { change in
            var changesPhotos = false
            for entry in entries {
                switch entry {
                case .source(let source): try change.save(SourceRecord(source))
                case .location(let key, let url): try LedgerWriter.save(location: url, of: key, &change)
                case .original(let original): try change.save(original)
                case .photo(let photo, let original):
                    if let original { try change.save(original) }
                    try LedgerWriter.save(photo, gallery: gallery, &change)
                    changesPhotos = true
                }
            }
            if changesPhotos { try LedgerWriter.raiseRevision(gallery: gallery, &change) }
        }
    }

    /// Records a publication: the current row of every photo, the slugs of the albums, and the files of the site. The
    /// rows of removed photos are deleted.
    /// - Parameters:
    ///   - site: the new row of the output folder, with the files at the changed paths; nil if the folder has not
    ///     changed. Its revision and the number of its publication are set here.
    ///   - changed: the paths at which the site's files can differ from the recorded ones. All other files are taken to
    ///     be recorded already, by an earlier publication or by a claim.
    ///   - inputs: the output folder and the inputs of its pages, if the folder has not changed.
    ///   - known: the recorded row of each photo, parallel to the photos, including rows that this build recorded, so
    ///     that unchanged rows are not written; nil for a photo that has no row under its key.
    ///   - gone: the keys of all other recorded photos of the gallery.
    package func record(
        publication site: SiteRow?, changed: Set<String>, inputs: (output: String, text: String)? = nil,
        photos: [PhotoRow], replacing known: [PhotoRow?], removing gone: [Digest], albums: [String: String]
    ) throws(LedgerError) {
        try write { change in
            if try LedgerWriter.replacePhotos(photos, replacing: known, removing: gone, gallery: gallery, &change) {
                try LedgerWriter.raiseRevision(gallery: gallery, &change)
            }
            try LedgerWriter.replaceAlbums(albums, gallery: gallery, &change)
            let revision = try LedgerReader.revision(change.flushed(), gallery: gallery)
            if var site = site.map({ $0.renamed(paths.storedPath(of: $0.output)) }) {
                site.revision = revision
                try LedgerWriter.save(site, changed: changed, &change)
            } else if let inputs {
                let output = paths.storedPath(of: inputs.output)
                try LedgerWriter.recordInputs(inputs.text, of: output, revision: revision, &change)
            }
        }
    }

    /// Records the files that are about to appear in an output folder, before they do. The record survives a power cut.
    /// Otherwise the next build would take the files for foreign ones. `record(publication:…)` completes the
    /// publication. Until then it is unknown whether a path has the new file or the replaced one.
    /// - Parameter claims: the files by path. Many files are written faster if they are sorted, because each page of
    ///   the table is then read and written once.
    package func record(
        claims: some Sequence<(key: String, value: FileClaim)>, output: String
    ) throws(LedgerError) {
        try writeDurably { try LedgerWriter.claim(claims, output: paths.storedPath(of: output), &$0) }
    }

    /// Withdraws claims: there are no files of the site at these paths of an output folder.
    package func disown(_ files: Set<String>, output: String) throws(LedgerError) {
        let output = paths.storedPath(of: output)
        try writeDurably { change in
            for path in files.sorted() { try change.delete(OwnedRecord.self, in: output, [output, path]) }
        }
    }

    private func writeDurably(_ work: (inout LedgerTransaction) throws -> Void) throws(LedgerError) {
        try changing {
            try queue.writeWithoutTransaction { database in
                let usual = try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? 2
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try database.inTransaction {
                    try change(database, work)
                    return .commit
                }
                try database.execute(sql: "PRAGMA synchronous = \(usual)")
            }
        }
    }

    /// Deletes the row of an output folder and the list of its files.
    package func forget(site output: String) throws(LedgerError) {
        try write { try LedgerWriter.forget(output: paths.storedPath(of: output), &$0) }
    }

    func read<Result>(_ work: (Database) throws -> Result) throws(LedgerError) -> Result {
        try Self.reporting(path, queue) { try queue.read(work) }
    }

    /// Reads on a connection of its own, so that other threads can use the ledger meanwhile. Without a write-ahead log,
    /// or if there can't be another connection, they have to wait.
    func readApart<Result>(_ work: (Database) throws -> Result) throws(LedgerError) -> Result {
        let isReader = isClosed.withLock { isClosed in
            guard allowsReaders, !isClosed else { return false }
            readers.enter()
            return true
        }
        guard isReader else { return try read(work) }
        defer { readers.leave() }
        // The cause of a failure doesn't matter: if the file can't be read, the other connection reports that.
        guard let reader = try? DatabaseQueue.reading(path, wait: Self.busyTimeout, isInUse: true) else {
            return try read(work)
        }
        // An error in closing is ignored, because a connection that only reads has nothing to lose.
        defer { try? reader.close() }
        return try Self.reporting(path, queue) { try reader.read(work) }
    }

    func write(_ work: (inout LedgerTransaction) throws -> Void) throws(LedgerError) {
        try changing { try queue.write { try change($0, work) } }
    }

    private func changing(_ work: () throws -> Void) throws(LedgerError) {
        try failure.withLock { failure throws(LedgerError) in
            if let failure { throw failure }
            do throws(LedgerError) {
                try Self.reporting(path, queue, work)
            } catch {
                failure = error
                if error.isRefusal { queue.keepJournalAtClose() }
                throw error
            }
        }
    }

    private func change(_ database: Database, _ work: (inout LedgerTransaction) throws -> Void) throws {
        var change = LedgerTransaction(database)
        try work(&change)
        try change.flushed()
    }

    /// Converts all errors to errors that a caller can handle.
    /// - Parameter queue: the open database; nil while the ledger is being opened, when its soundness can't be checked.
    private static func reporting<Result>(
        _ path: String, _ queue: DatabaseQueue? = nil, _ work: () throws -> Result
    ) throws(LedgerError) -> Result {
        do {
            return try work()
        } catch let error as LedgerError {
            throw error
        } catch let error as DatabaseError {
            throw LedgerError(error, path: path, isIntact: { queue.map(Schema.isIntact) ?? false })
        } catch let error where error is DecodingError || error is RowDecodingError {
            throw .unreadable(path: path, detail: String(describing: error))
        } catch {
            throw .storage(path: path, detail: String(describing: error))
        }
    }
}
