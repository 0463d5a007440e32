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

    /// The plan that `run()` would carry out, and the problem that it would report. The target is queried, and nothing
    /// is changed or created.
    package func planned() throws(GalleryError) -> (plan: PublicationPlan, problem: PublishError?) {
        try publishing(createsFolders: false) { (publication) throws(PublishError) in try publication.planned() }
    }

    /// The plan that follows from this machine's copy of the target's list, without a query of the target.
    package func remembered() throws(GalleryError) -> PublicationPlan {
        try publishing(createsFolders: false) { (publication) throws(PublishError) in try publication.remembered() }
    }

    /// - Parameter createsFolders: whether the target is created if it is a missing folder, and missing folders in the
    ///   state folder.
    private func publishing<Value>(
        createsFolders: Bool, _ work: (SitePublication) throws(PublishError) -> Value
    ) throws(GalleryError) -> Value {
        try checkTarget()
        if createsFolders { try createCacheFolder() }
        let locks = try lockFolders()
        defer { locks.release() }
        var made: [String] = []
        let targetLock = try lockTarget(createsFolder: createsFolders, &made)
        let result = Result<Value, GalleryError> { () throws(GalleryError) in
            try sync(made)
            return try publishingToLockedTarget(work)
        }
        // A new target folder that is still empty is removed before another publication can lock it.
        FolderChain.removeEmpty(made)
        targetLock?.release()
        return try result.get()
    }

    private func publishingToLockedTarget<Value>(
        _ work: (SitePublication) throws(PublishError) -> Value
    ) throws(GalleryError) -> Value {
        let files = try RecordedSite(output: output, state: state, warn: warn).files()
        do throws(PublishError) {
            let target = try target()
            let publication = SitePublication(
                LocalSite(folder: output, owned: files), to: target, cache: cache(of: target), options: options,
                emit: emit, isCancelled: isCancelled)
            return try work(publication)
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
    /// - Parameters:
    ///   - createsFolder: whether a missing folder is created, so that it can be locked.
    ///   - made: receives the paths of new folders, outermost first.
    /// - Returns: nil if there is nothing to lock. If the folder can't be created, the publication says why as soon as
    ///   it needs the folder.
    private func lockTarget(createsFolder: Bool, _ made: inout [String]) throws(GalleryError) -> FolderLock? {
        guard case .folder(let path) = address else { return nil }
        var new: [String] = []
        var isMissing = false
        do throws(GalleryError) {
            let lock = try FolderLock(folder: path, lockWait: lockWait) { () throws(GalleryError) in
                isMissing = !FileManager.default.fileExists(atPath: path)
                // The publication reports the error, as it creates the folder again when it needs it.
                if isMissing, createsFolder, let folders = try? FolderChain.create(path, permissions) {
                    new += folders
                    isMissing = false
                }
                // An error ends the attempts to lock a folder that does not exist.
                if isMissing { throw .interrupted }
            }
            made = new
            return lock
        } catch {
            if isMissing { return nil }
            throw error
        }
    }

    /// Makes new folders durable.
    private func sync(_ made: [String]) throws(GalleryError) {
        do throws(SiteError) {
            try FolderChain.sync(made)
        } catch {
            throw .site(error)
        }
    }

    /// The permissions of new folders at a target folder: whoever can read the site's files there can reach them,
    /// whatever the umask of this process is.
    private var permissions: SitePermissions? {
        var status = stat()
        guard stat("\(output)/\(SitePath.index)", &status) == 0 else { return nil }
        return SitePermissions(octal: String(status.st_mode & 0o666, radix: 8))
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
        case .folder(let path):
            try FolderTarget(path: path, permissions: permissions, isCancelled: isCancelled)
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
        PublishedListCache(path: "\(cacheFolder)/\(Digest(of: target.identity).prefix(16))", output: output)
    }
}
