internal import PhotoModel

/// Writes rendered files into the temporary folder, on the threads that render them: those with a free path, and those
/// that differ from the record, if it is trusted. The publisher takes them over one after the other, while others are
/// written.
package struct PageWriter: Sendable {
    private let staging: StagingFolder
    /// The site's files. The entries are behind a lock and shared with the publisher, which changes them during calls
    /// of `prepare`: an entry is staged when its file is taken over. If two files have the same path, `prepare` might
    /// miss that the first one is staged, so the publisher looks at the entry once more.
    private let inventory: SiteInventory
    /// The permissions of all files of the site; nil if the umask decides.
    private let permissions: SitePermissions?
    /// Whether the record says what an owned file contains. If not, the publisher compares the file.
    private let trustsRecord: Bool

    init(
        _ staging: StagingFolder, _ inventory: SiteInventory, _ permissions: SitePermissions?, trustsRecord: Bool
    ) {
        self.staging = staging
        self.inventory = inventory
        self.permissions = permissions
        self.trustsRecord = trustsRecord
    }

    /// - Returns: the output as `.prepared`, or unchanged if the publisher has to examine the file at its path.
    package func prepare(_ output: SiteOutput) -> SiteOutput {
        guard case .file(let file, let key) = output, !staging.isFull else { return output }
        let recorded: OwnedFile?
        switch inventory.state(of: file.path) {
        case .absent: recorded = nil
        case .owned(let known) where trustsRecord && known.digest != nil: recorded = known
        case .owned, .staged, .foreign, .foreignFile: return output
        }
        let digest = Digest(of: file.bytes)
        let owned = OwnedFile(digest: digest, bytes: Int64(file.bytes.count), key: key)
        if recorded?.digest == digest {
            return .prepared(PreparedFile(path: file.path, file: owned, result: .same))
        }
        let replaced = inventory.known(file.path)
        let result: PreparedFile.Result
        do throws(SiteError) {
            let number = try staging.write(file.bytes) { made in
                permissions?.files ?? made | UInt32(replaced?.mode ?? 0) & 0o777
            }
            result = .written(
                StagedFile(
                    path: file.path, number: number, step: StagedFile.Step(file.path, isNew: recorded == nil),
                    replaced: replaced, content: KnownFile(digest: digest)))
        } catch {
            result = .failed(error)
        }
        return .prepared(PreparedFile(path: file.path, file: owned, result: result))
    }
}

/// A rendered file that was compared with the site and, if it differs, written into the temporary folder.
package struct PreparedFile: Sendable {
    enum Result {
        /// The site has the file already.
        case same
        case written(StagedFile)
        case failed(SiteError)
    }

    let path: String
    let file: OwnedFile
    let result: Result
}
