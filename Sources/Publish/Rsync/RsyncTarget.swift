internal import Foundation
internal import ObjectStore
internal import PhotoModel
internal import Processes
internal import Site

/// A folder on another machine as a target, by rsync over ssh. rsync writes each file to a temporary name in the same
/// folder and renames it.
package final class RsyncTarget: PublishTarget {
    package let shown: String
    private let source: String
    private let command: RsyncCommand
    private var hasCheckedFolders = false
    /// Whether the last listing of the site shows records of a shared build; nil if there was no such listing.
    private var hasRecords: Bool?

    /// - Parameters:
    ///   - host: the host, optionally with a user, as `TargetAddress` allows it.
    ///   - source: the absolute path of the output folder.
    package init(
        host: String, path: String, source: String, environment: [String: String],
        isCancelled: @escaping () -> Bool = { false }
    ) throws(PublishError) {
        shown = TargetAddress.rsync(host: host, path: path).shown
        self.source = source
        command = try RsyncCommand(host: host, path: path, environment: environment, isCancelled: isCancelled)
    }

    package func readList() throws(PublishError) -> [UInt8]? {
        let copy = command.temporary.path + "/list"
        let isThere = try reporting {
            do {
                _ = try command.run(["--ignore-times"], [command.remote(PublishedList.fileName), copy])
                return true
            } catch let failure as RsyncCommand.Failure where failure.isMissing {
                return false
            }
        }
        guard isThere else { return nil }
        // rsync does not copy links and folders.
        guard let list = FileManager.default.contents(atPath: copy) else {
            throw .foreign(target: shown, path: PublishedList.fileName, count: 1)
        }
        return [UInt8](list)
    }

    package func isStore() throws(PublishError) -> Bool {
        if let hasRecords { return hasRecords }
        let rules = ["--include=/\(StoreRecords.prefix)", "--include=\(Self.recordPattern)", "--exclude=*"]
        return Self.hasRecords(try listing(["--recursive"] + rules))
    }

    /// Makes sure that none of the site's folders is a symbolic link. Files below a link would be written to another
    /// folder.
    private func checkFolders(_ listing: RsyncListing) throws(PublishError) {
        for name in siteFolderNames {
            if let entry = listing.entries[name], entry.kind != .folder {
                throw .foreign(target: shown, path: name, count: 1)
            }
        }
        hasCheckedFolders = true
    }

    /// - Returns: nil if the folder does not exist.
    private func listing(_ options: [String]) throws(PublishError) -> RsyncListing? {
        try reporting {
            do {
                return RsyncListing(
                    try command.run(["--list-only", "--no-human-readable"] + options, [command.remote()]))
            } catch let failure as RsyncCommand.Failure where failure.isMissing {
                return nil
            }
        }
    }

    package func writeList(_ bytes: [UInt8]) throws(PublishError) {
        try reporting {
            let folder = command.temporary.path + "/outgoing"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(PublishedList.fileName)"))
            _ = try command.run(
                ["--ignore-times"], files: [PublishedList.fileName], [folder + "/", command.remote()])
        }
    }

    package func find(_ files: [OutgoingFile]) throws(PublishError) -> [String: Presence] {
        guard let there = try siteListing() else {
            return Dictionary(uniqueKeysWithValues: files.map { ($0.path, .absent) })
        }
        try checkFolders(there)
        var found: [String: Presence] = [:]
        var unclear: [OutgoingFile] = []
        for file in files {
            switch there.entries[file.path] {
            case nil: found[file.path] = .absent
            case let entry? where entry.kind != .file: found[file.path] = .other
            case let entry? where entry.bytes != file.bytes: found[file.path] = .different
            case _? where file.digest == nil: found[file.path] = .same
            // Files of the same size and time can differ if two builds wrote them within a second.
            case _?: unclear.append(file)
            }
        }
        let different = try differing(unclear)
        for file in unclear { found[file.path] = different.contains(file.path) ? .different : .same }
        return found
    }

    /// The entries at the top of the target and in the site's own folders, and records of a shared build. Other folders
    /// can be large.
    /// - Returns: nil if the target does not exist.
    private func siteListing() throws(PublishError) -> RsyncListing? {
        let rules = siteFolderNames.map { "--include=/\($0)/*" } + ["--include=\(Self.recordPattern)"]
        let found = try listing(["--recursive"] + rules + ["--exclude=/*/*", "--exclude=/*/*/*"])
        hasRecords = Self.hasRecords(found)
        return found
    }

    /// The pattern of records. It has the beginning of a record's name, so that a large folder of other files is not
    /// listed.
    private static let recordPattern = "/\(StoreRecords.prefix)\(String(repeating: "[0-9a-f]", count: 64))*"

    private static func hasRecords(_ listing: RsyncListing?) -> Bool {
        listing?.entries.keys.contains { path in
            path.hasPrefix(StoreRecords.prefix) && StoreRecords.isRecord(path.dropFirst(StoreRecords.prefix.count))
        } ?? false
    }

    /// The paths of the files that differ at the target, by checksums that the other machine computes.
    private func differing(_ files: [OutgoingFile]) throws(PublishError) -> Set<String> {
        guard !files.isEmpty else { return [] }
        return try reporting {
            let output = try command.run(
                ["--dry-run", "--checksum", "--out-format=%n"], files: files.map(\.path),
                [source + "/", command.remote()])
            return Set(output.split(separator: "\n").map(String.init))
        }
    }

    package func send(_ files: [OutgoingFile], sent: (OutgoingFile) -> Void) throws(PublishError) {
        if !hasCheckedFolders, let top = try listing(["--dirs"]) { try checkFolders(top) }
        let byPath = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0) })
        try reporting {
            _ = try command.run(
                // The files are known to differ, so they are sent even if size and time are the same.
                [
                    "--ignore-times", "--times", "--perms", "--no-implied-dirs", "--omit-dir-times",
                    "--out-format=%n",
                ], files: files.map(\.path), [source + "/", command.remote()]
            ) { line in
                if let file = byPath[String(line)] { sent(file) }
            }
        }
    }

    package func remove(_ paths: [String]) throws(PublishError) {
        // rsync would also remove a symbolic link or an empty folder that has come to the place of a former file.
        guard let there = try siteListing() else { return }
        let files = paths.filter { there.isFile($0) }
        guard !files.isEmpty else { return }
        try reporting {
            // rsync removes at the target only the named files that are missing in the source, which is empty.
            let empty = command.temporary.path + "/empty"
            for name in siteFolderNames {
                try FileManager.default.createDirectory(
                    atPath: "\(empty)/\(name)", withIntermediateDirectories: true)
            }
            for step in RemovalOrder.steps(files) {
                _ = try command.run(
                    ["--delete-missing-args", "--no-implied-dirs", "--omit-dir-times"], files: step,
                    [empty + "/", command.remote()])
            }
        }
    }

    private func reporting<Value>(_ work: () throws -> Value) throws(PublishError) -> Value {
        do {
            return try work()
        } catch let error as PublishError {
            throw error
        } catch let failure as RsyncCommand.Failure {
            throw .refused(target: shown, detail: failure.message)
        } catch ChildProcess.Problem.interrupted {
            throw .interrupted
        } catch ChildProcess.Problem.start(let code) {
            throw .refused(
                target: shown,
                detail: code == ENOENT
                    ? "rsync is not installed on this machine"
                    : "rsync can't be started: \(systemMessage(code))")
        } catch ChildProcess.Problem.wait(let code) {
            throw .refused(
                target: shown, detail: "the exit code of rsync is not known: \(systemMessage(code))")
        } catch {
            throw .refused(target: shown, detail: systemMessage(error))
        }
    }
}

extension RsyncCommand.Failure {
    /// The meaning of the exit code and the first line that rsync or ssh wrote, which names the cause.
    var message: String {
        // The lines of ssh end in "\r\n", which is a single character.
        let lines = errors.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        let cause = lines.first { !$0.isEmpty && !$0.hasPrefix("rsync error:") && !$0.hasPrefix("Warning:") }
        let meaning =
            switch code {
            case 10, 12, 30, 35, 255: "the connection failed"
            case 11: "files could not be written"
            case 23: "some files could not be sent"
            case 127: "rsync is not installed there"
            default: "rsync failed"
            }
        return "\(meaning): \(cause ?? "no reason was given") (exit code \(code))"
    }
}
