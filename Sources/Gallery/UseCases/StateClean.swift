internal import Downloads
internal import Foundation
internal import Ledger
internal import Manifest
internal import PhotoModel

/// `clean --unused`: removes the files in a state folder that no photo of any of its galleries refers to: originals,
/// partial originals, pictures, and the state of previews and shards whose processes have ended. The copies of remote
/// manifests stay.
package struct StateClean {
    /// The result, or the plan of a dry run.
    package struct Outcome {
        /// The paths relative to the state folder, sorted.
        package var removed: [String] = []
        /// The total size of these files in bytes. A picture that is also in a site is a hard link without blocks of
        /// its own, and counts 0.
        package var bytes: Int64 = 0

        fileprivate mutating func add(_ files: [OriginalStore.File], in state: StateFolder) {
            removed = (removed + files.map { String($0.path.dropFirst(state.path.count + 1)) }).sorted()
            bytes += files.reduce(0) { $0 + $1.bytes }
        }
    }

    private let state: StateFolder
    private let holder: String

    /// - Parameter holder: the description of this run that the lock gives to a build.
    package init(state: StateFolder, holder: String) {
        self.state = state
        self.holder = holder
    }

    /// Finds out what `run()` would do.
    /// - Parameter forgotten: galleries that would be forgotten before; nil if there are none.
    package func plan(without forgotten: GalleryForgetting.Found? = nil) throws(GalleryError) -> Outcome {
        var unused = hasOriginals ? try unusedFiles(without: forgotten?.galleries ?? []) : UnusedFiles()
        unused.files += state.inside.flatMap(Self.files)
        return unused.outcome(in: state)
    }

    /// - Throws: `GalleryError.locked` while a build is using the state folder; `.storage` if it is unknown which files
    ///   are needed.
    package func run() throws(GalleryError) -> Outcome {
        guard FileManager.default.fileExists(atPath: state.path) else { return Outcome() }
        let lock = try FolderLock(path: state.lock, holder: holder)
        var outcome = try removeUnusedFiles()
        for folder in state.inside { outcome.add(remove(folder), in: state) }
        lock.release()
        return outcome
    }

    /// The files of a preview or a shard. A build takes over what it can use of a preview, and the store has what a
    /// shard has done.
    private static func files(of inner: StateFolder) -> [OriginalStore.File] {
        // A folder that does not exist, or can't be listed, has no files that could be removed.
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: inner.path)) ?? []
        return names.compactMap { name in
            inner.path + "/" + name == inner.lock ? nil : file(at: inner.path + "/" + name)
        }
    }

    /// Removes the state of a preview or a shard, unless its lock shows that it is in use.
    private func remove(_ inner: StateFolder) -> [OriginalStore.File] {
        guard FileManager.default.fileExists(atPath: inner.path),
            // A lock that can't be taken is in use, or can't be examined; the files stay in both cases.
            let lock = try? FolderLock(path: inner.lock, holder: holder)
        else { return [] }
        let files = Self.files(of: inner)
        inner.removeContent()
        lock.release()
        return files.filter { access($0.path, F_OK) != 0 }
    }

    private func removeUnusedFiles() throws(GalleryError) -> Outcome {
        // The check is made under the lock, because a first build creates the folder of originals.
        guard hasOriginals else { return Outcome() }
        let unused = try unusedFiles()
        // The rows are removed from the ledger before the files. If this run is killed in between, the next run removes
        // the files, because the ledger does not know them.
        do throws(LedgerError) {
            let ledger = try Ledger(path: state.ledger)
            defer { ledger.close() }
            try ledger.forget(sources: unused.sources, originals: unused.originals)
        } catch {
            throw GalleryError(error)
        }
        for file in unused.files {
            guard unlink(file.path) != 0 else { continue }
            let code = errno
            guard code == ENOENT else {
                throw .storage(path: file.path, .system(errno: code, action: "it can't be removed"))
            }
        }
        return unused.outcome(in: state)
    }

    private var hasOriginals: Bool { FileManager.default.fileExists(atPath: state.originals) }

    private struct UnusedFiles {
        var files: [OriginalStore.File] = []
        var originals: [Digest] = []
        /// The keys of addresses that belong neither to a photo nor to a manifest.
        var sources: [Digest] = []

        func outcome(in state: StateFolder) -> Outcome {
            var outcome = Outcome()
            outcome.add(files, in: state)
            return outcome
        }
    }

    private func unusedFiles(without forgotten: [KnownGallery] = []) throws(GalleryError) -> UnusedFiles {
        let references = try references(except: forgotten)
        let store = OriginalStore(reading: state.originals)
        var referenced = references.originals
        var unused = UnusedFiles()
        for (key, original) in references.others {
            if containsManifest(store.path(of: original)) {
                referenced.insert(original)
            } else {
                unused.sources.append(key)
            }
        }
        do throws(DownloadsError) {
            let originals = try store.originals(except: referenced)
            unused.originals = Array(originals.keys)
            let addresses = Set(references.sources.map(\.hex))
            unused.files = try Array(originals.values) + store.partialFiles(except: addresses)
        } catch {
            throw GalleryError(error)
        }
        unused.files += try pictures(except: references.pictures)
        return unused
    }

    /// The references of all galleries that are not forgotten. Without a ledger they are unknown, and nothing may be
    /// removed.
    private func references(except forgotten: [KnownGallery]) throws(GalleryError) -> References {
        let problem: String
        do throws(LedgerError) {
            if let ledger = try Ledger(reading: state.ledger) { return try ledger.references(except: forgotten) }
            let exists = FileManager.default.fileExists(atPath: state.ledger)
            problem = exists ? "no build is recorded there" : "there is no ledger"
        } catch {
            guard case .unreadable(_, let detail) = error else { throw GalleryError(error) }
            problem = detail
        }
        throw .storage(
            path: state.ledger,
            .other("nothing was removed: it is not known what is needed (\(problem)); run gallerygen build first"))
    }

    /// Whether the file is the copy of a manifest. Only its content tells, because the ledger records it like the
    /// original of a photo.
    private func containsManifest(_ path: String) -> Bool {
        do {
            guard try beginsLikeXML(path) else { return false }
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            _ = try ManifestReader(origin: .remote(url: "https://localhost/", shown: "")).read(bytes)
            return true
        } catch {
            return false
        }
    }

    /// Whether a file begins like XML. A few bytes exclude most pictures, so that these need not be read in full. In
    /// any encoding, XML begins with "<" after at most white space and a byte order mark (XML 1.0, appendix F).
    private func beginsLikeXML(_ path: String) throws -> Bool {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let before: Set<UInt8> = [0, 0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
        let (ascii, ebcdic): (UInt8, UInt8) = (0x3C, 0x4C)
        guard let first = try file.read(upToCount: 4_096)?.first(where: { !before.contains($0) }) else { return false }
        return first == ascii || first == ebcdic
    }

    private func pictures(except referenced: Set<String>) throws(GalleryError) -> [OriginalStore.File] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: state.derivatives)
        } catch {
            guard FileManager.default.fileExists(atPath: state.derivatives) else { return [] }
            throw .storage(path: state.derivatives, StorageFailure(error, action: "it can't be listed"))
        }
        return names.filter { !referenced.contains($0) }.compactMap { Self.file(at: state.derivatives + "/" + $0) }
    }

    /// - Returns: nil unless there is a regular file.
    private static func file(at path: String) -> OriginalStore.File? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return OriginalStore.File(path: path, bytes: status.st_nlink > 1 ? 0 : Int64(status.st_size))
    }
}
