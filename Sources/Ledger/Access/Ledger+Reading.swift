internal import Dispatch
package import PhotoModel
internal import Synchronization

extension Ledger {
    /// Reads everything except the lists of published files, in one transaction unless `allowsReaders`. If so, photos
    /// are read in one transaction, and addresses and originals in another one: no other process may write the ledger,
    /// and what threads of this process record meanwhile can be in one of the two only.
    package func snapshot() throws(LedgerError) -> LedgerSnapshot {
        guard allowsReaders else {
            return try read { database in
                var snapshot = LedgerSnapshot()
                try LedgerReader.readSources(database, into: &snapshot)
                try LedgerReader.readPhotos(database, of: gallery, into: &snapshot)
                return snapshot
            }
        }
        // The tables of photos are about as large as the others together, so two threads read one half each.
        typealias Half = Result<LedgerSnapshot, LedgerError>
        let halves = Mutex<(photos: Half, sources: Half)>((.success(LedgerSnapshot()), .success(LedgerSnapshot())))
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            let half = Half { () throws(LedgerError) in
                try readApart { database in
                    var half = LedgerSnapshot()
                    if number == 0 {
                        try LedgerReader.readPhotos(database, of: gallery, into: &half)
                    } else {
                        try LedgerReader.readSources(database, into: &half)
                    }
                    return half
                }
            }
            halves.withLock { if number == 0 { $0.photos = half } else { $0.sources = half } }
        }
        let (photos, sources) = halves.withLock { $0 }
        var snapshot = try photos.get()
        let others = try sources.get()
        snapshot.sources = others.sources
        snapshot.locations = others.locations
        snapshot.originals = others.originals
        return snapshot
    }

    /// The row of an output folder; nil if nothing was ever published there.
    /// - Parameter withFiles: whether `owned` is read. If not, it is empty.
    package func site(output: String, withFiles: Bool = true) throws(LedgerError) -> SiteRow? {
        try read {
            try LedgerReader.site($0, output: paths.storedPath(of: output), withFiles: withFiles)?.renamed(output)
        }
    }

    /// The record of a published file in an output folder; nil if there is none at that path.
    package func file(at path: String, output: String) throws(LedgerError) -> OwnedFile? {
        try read { try LedgerReader.owned($0, output: paths.storedPath(of: output), path: path) }
    }

    /// Calls `visit` with each published file in an output folder and its path relative to it. If the ledger has a
    /// write-ahead log, other threads can read and change the ledger meanwhile.
    /// - Parameter begin: is called before that, with the number of files for which memory should be reserved.
    package func forEachFile(
        output: String, begin: (Int) -> Void = { _ in }, _ visit: (String, OwnedFile) -> Void
    ) throws(LedgerError) {
        try readApart {
            try LedgerReader.forEachFile($0, output: paths.storedPath(of: output), begin: begin, visit)
        }
    }
}
