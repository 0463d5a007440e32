internal import Foundation
internal import PhotoModel
package import Publish
internal import Site

/// `publish`: sends the site in an output folder to a target. The locks of the output and state folders are held until
/// all files are sent, so that a build can't change the site meanwhile.
package struct SitePublishing {
    private let output: String
    private let state: StateFolder
    private let address: TargetAddress
    private let options: PublishOptions
    private let environment: [String: String]
    private let homes: [String]
    private let holder: String
    private let lockWait: FolderLock.LockWait
    private let warn: (String) -> Void
    private let emit: (PublishEvent) -> Void
    private let isCancelled: @Sendable () -> Bool

    /// - Parameters:
    ///   - output: the absolute path of the output folder.
    ///   - address: the target, with an absolute path if it is a folder.
    ///   - environment: the environment variables for rsync, and those that name an S3 store.
    ///   - homes: the user's home folders, of which the first has `.aws` in it.
    ///   - holder: a description of this run for processes that find the folders locked.
    package init(
        output: String, state: StateFolder, address: TargetAddress, options: PublishOptions,
        environment: [String: String], homes: [String], holder: String, lockWait: FolderLock.LockWait,
        warn: @escaping (String) -> Void,
        emit: @escaping (PublishEvent) -> Void, isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.output = output
        self.state = state
        self.address = address
        self.options = options
        self.environment = environment
        self.homes = homes
        self.holder = holder
        self.lockWait = lockWait
        self.warn = warn
        self.emit = emit
        self.isCancelled = isCancelled
    }

    package func run() throws(GalleryError) -> PublishReport {
        try publishing(createsFolders: true) { (publication) throws(PublishError) in try publication.run() }
    }

    /// The plan that `run()` would carry out. The target is queried, and nothing is changed or created.
    package func planned() throws(GalleryError) -> PublicationPlan {
        try publishing(createsFolders: false) { (publication) throws(PublishError) in try publication.planned() }
    }

    /// The plan that follows from this machine's copy of the target's list, without a query of the target.
    package func remembered() throws(GalleryError) -> PublicationPlan {
        try publishing(createsFolders: false) { (publication) throws(PublishError) in try publication.remembered() }
    }

    /// - Parameter createsFolders: whether missing folders in the state folder are created.
    private func publishing<Value>(
        createsFolders: Bool, _ work: (SitePublication) throws(PublishError) -> Value
    ) throws(GalleryError) -> Value {
        try checkTarget()
        if createsFolders { try createCacheFolder() }
        let locks = try lockFolders()
        defer { locks.release() }
        let targetLock = try lockTarget()
        let files = try RecordedSite(output: output, state: state, warn: warn).files()
        do throws(PublishError) {
            let target = try target()
            let publication = SitePublication(
                LocalSite(folder: output, owned: files), to: target, cache: cache(of: target), options: options,
                emit: emit, isCancelled: isCancelled)
            let value = try work(publication)
            targetLock?.release()
            return value
        } catch {
            throw .publish(error)
        }
    }

    private func createCacheFolder() throws(GalleryError) {
        try state.create()
        do {
            try FileManager.default.createDirectory(atPath: cacheFolder, withIntermediateDirectories: true)
        } catch {
            throw .storage(path: cacheFolder, StorageFailure(error, action: "the folder can't be created"))
        }
    }

    /// Locks the output folder, and the state folder if it exists.
    private func lockFolders() throws(GalleryError) -> GalleryLocks {
        try GalleryLocks(
            state: FileManager.default.fileExists(atPath: state.path) ? state : nil, output: output,
            createsOutput: false, holder: holder, lockWait: lockWait)
    }

    /// Locks the target if it is a folder, because another gallery might publish or build there.
    private func lockTarget() throws(GalleryError) -> FolderLock? {
        guard case .folder(let path) = address, FileManager.default.fileExists(atPath: path) else { return nil }
        return try FolderLock(folder: path, lockWait: lockWait)
    }

    /// Refuses folders in which the site would be mixed with other files of this machine.
    private func checkTarget() throws(GalleryError) {
        guard case .folder(let path) = address else { return }
        let folders = OutputFolderCheck(output: path, state: state.path, homes: homes)
        if let why = folders.unsuitableAsTarget(of: output) {
            throw .publish(.unsuitable(target: path, why: why))
        }
    }

    private func target() throws(PublishError) -> any PublishTarget {
        switch address {
        case .folder(let path): try FolderTarget(path: path, isCancelled: isCancelled)
        case .rsync(let host, let path):
            try RsyncTarget(
                host: host, path: path, source: output, environment: environment, isCancelled: isCancelled)
        case .bucket(let name, let prefix):
            try S3Target(
                bucket: name, prefix: prefix, environment: environment, home: homes.first, isCancelled: isCancelled)
        }
    }

    private var cacheFolder: String { state.path + "/published" }

    /// The name of the file is a hash, because an address can have any character.
    private func cache(of target: any PublishTarget) -> PublishedListCache {
        PublishedListCache(path: "\(cacheFolder)/\(Digest(of: target.identity).prefix(16))")
    }
}
