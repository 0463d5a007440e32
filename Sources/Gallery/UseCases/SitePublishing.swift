internal import Foundation
internal import PhotoModel
package import Publish
internal import Site

/// `publish`: sends the site in an output folder to a target. The locks of the output and state folders are held until
/// all is sent, so that a build cannot change what is being sent.
package struct SitePublishing {
    private let output: String
    private let state: StateFolder
    private let address: TargetAddress
    private let options: PublishOptions
    private let environment: [String: String]
    private let home: String?
    private let holder: String
    private let lockWait: FolderLock.LockWait
    private let warn: (String) -> Void
    private let tell: (PublishEvent) -> Void
    private let isCancelled: @Sendable () -> Bool

    /// - Parameters:
    ///   - output: absolute path.
    ///   - address: with an absolute path if it is a folder.
    ///   - environment: variables for the programs that are run.
    ///   - home: the user's home folder.
    ///   - holder: what the locks tell others about this run.
    package init(
        output: String, state: StateFolder, address: TargetAddress, options: PublishOptions,
        environment: [String: String], home: String?, holder: String, lockWait: FolderLock.LockWait,
        warn: @escaping (String) -> Void,
        tell: @escaping (PublishEvent) -> Void, isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.output = output
        self.state = state
        self.address = address
        self.options = options
        self.environment = environment
        self.home = home
        self.holder = holder
        self.lockWait = lockWait
        self.warn = warn
        self.tell = tell
        self.isCancelled = isCancelled
    }

    package func run() throws(GalleryError) -> PublishReport {
        try publishing { (publication) throws(PublishError) in try publication.run() }
    }

    /// Says what `run()` would do, by asking the target.
    package func planned() throws(GalleryError) -> PublicationPlan {
        try publishing { (publication) throws(PublishError) in try publication.planned() }
    }

    /// Says what there is to do by what this machine remembers.
    package func remembered() throws(GalleryError) -> PublicationPlan {
        try publishing { (publication) throws(PublishError) in try publication.remembered() }
    }

    private func publishing<Value>(
        _ work: (SitePublication) throws(PublishError) -> Value
    ) throws(GalleryError) -> Value {
        try checkTarget()
        let locks = try lockFolders()
        defer { locks.release() }
        let targetLock = try lockTarget()
        let files = try RecordedSite(output: output, state: state, warn: warn).files()
        do throws(PublishError) {
            let publication = SitePublication(
                LocalSite(folder: output, owned: files), to: try target(), memory: memory, options: options,
                tell: tell, isCancelled: isCancelled)
            let value = try work(publication)
            targetLock?.release()
            return value
        } catch {
            throw .publish(error)
        }
    }

    private func lockFolders() throws(GalleryError) -> GalleryLocks {
        try state.create()
        do {
            try FileManager.default.createDirectory(atPath: memoryFolder, withIntermediateDirectories: true)
        } catch {
            throw .storage(path: memoryFolder, StorageFailure(error, action: "the folder can't be created"))
        }
        return try GalleryLocks(
            state: state, output: output, makesOutput: false, holder: holder, lockWait: lockWait)
    }

    /// Locks a folder that is the target, as another machine or another gallery may publish there or build there.
    private func lockTarget() throws(GalleryError) -> FolderLock? {
        guard case .folder(let path) = address, FileManager.default.fileExists(atPath: path) else { return nil }
        return try FolderLock(folder: path, lockWait: lockWait)
    }

    /// Refuses targets in which a site would be mixed with something else of this machine.
    private func checkTarget() throws(GalleryError) {
        guard case .folder(let path) = address else { return }
        let folders = OutputFolderCheck(output: path, state: state.path, homes: [])
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
                bucket: name, prefix: prefix, environment: environment, home: home, isCancelled: isCancelled)
        }
    }

    private var memoryFolder: String { state.path + "/published" }

    /// The name is a hash of the address, which may hold any character.
    private var memory: PublicationMemory {
        PublicationMemory(path: "\(memoryFolder)/\(Digest(of: address.shown).prefix(16))")
    }
}
