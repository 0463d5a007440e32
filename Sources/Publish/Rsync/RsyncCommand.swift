internal import Foundation
internal import Processes

/// Runs rsync between folders of this machine and a folder of another machine. All runs share one ssh connection.
///
/// No part of the address can become an option or a word of a command: the address is an operand after "--",
/// and paths go to the other machine as data (`-s`), not through a shell.
final class RsyncCommand {
    /// A failed run of rsync: its exit code and its standard error.
    struct Failure: Error {
        let code: Int32
        let errors: String

        /// Whether the file or folder on the other machine does not exist. rsync's messages are in English everywhere.
        var isMissing: Bool {
            code == 23 && (errors.contains("change_dir") || errors.contains("link_stat"))
                && errors.contains("No such file or directory (2)")
        }
    }

    /// A folder of this machine for lists of files and for the socket of the shared connection.
    let temporary: RsyncTemporaryFolder
    private let target: String
    private let shell: String
    private let control: [String]
    private let environment: [String: String]
    private let isCancelled: () -> Bool

    /// The longest time to establish a connection, and the longest time without data from the other machine, in
    /// seconds.
    private static let connectTimeout = 20
    private static let silence = 60
    /// How long the reason of a failure may come after rsync's exit code. ssh usually closes its standard error 0.1 s
    /// after rsync has ended.
    private static let lateErrors = Duration.seconds(5)

    /// - Parameters:
    ///   - host: the host, optionally with a user, as `TargetAddress` allows it.
    ///   - environment: the environment variables. RSYNC_RSH can name another program than ssh, or have options for
    ///     ssh.
    /// - Throws: `PublishError.cache` if no temporary folder can be created.
    init(
        host: String, path: String, environment: [String: String], isCancelled: @escaping () -> Bool
    ) throws(PublishError) {
        temporary = try RsyncTemporaryFolder()
        // A path that begins with a hyphen would be an option on the other machine.
        target = "\(host):\(path.hasPrefix("-") ? "./" + path : path)/"
        let named = environment["RSYNC_RSH"].flatMap { $0.isEmpty ? nil : $0 } ?? "ssh"
        let program = named.split(separator: " ").first.map { String($0.split(separator: "/").last ?? $0) }
        if program == "ssh" {
            var options = [
                // A cron job would hang at a password prompt.
                "BatchMode=yes", "ConnectTimeout=\(Self.connectTimeout)", "ServerAliveInterval=15",
                "ServerAliveCountMax=4",
            ]
            let socket = temporary.path + "/ssh"
            if RsyncTemporaryFolder.isUsable(forSocket: socket) {
                options += ["ControlMaster=auto", "ControlPath=\(socket)", "ControlPersist=60"]
                control =
                    named.split(separator: " ").map(String.init)
                    + ["-o", "BatchMode=yes", "-o", "ControlPath=\(socket)", "-O", "exit", "--", host]
            } else {
                control = []
            }
            shell = named + options.map { " -o \($0)" }.joined()
        } else {
            shell = named
            control = []
        }
        self.environment = environment.merging(["LC_ALL": "C"]) { $1 }.filter { $0.key != "RSYNC_RSH" }
        self.isCancelled = isCancelled
    }

    deinit {
        // The shared connection would end by itself after a minute.
        guard !control.isEmpty, FileManager.default.fileExists(atPath: temporary.path + "/ssh") else { return }
        _ = try? ChildProcess(command: control, environment: environment).run(isCancelled: { false })
    }

    /// The operand that stands for the target folder.
    func remote(_ relative: String = "") -> String { target + relative }

    /// Runs rsync.
    /// - Parameters:
    ///   - files: the paths of the files, relative to source and target; nil to let the options decide.
    ///   - operands: the source and the target.
    /// - Returns: the standard output.
    func run(
        _ options: [String], files: [String]? = nil, _ operands: [String], line: (Substring) -> Void = { _ in }
    ) throws -> String {
        var arguments = ["rsync", "--rsh=\(shell)", "-s", "--8-bit-output", "--timeout=\(Self.silence)"]
        arguments += options
        if let files {
            let list = temporary.path + "/files"
            try temporary.write(files.map { $0 + "\0" }.joined(), to: list)
            arguments += ["--files-from=\(list)", "--from0"]
        }
        // The rsync on the other machine writes errors to its standard error. ssh passes them on, sometimes only after
        // this machine's rsync has ended.
        let child = ChildProcess(
            command: arguments + ["--"] + operands, environment: environment, lateErrors: Self.lateErrors)
        let outcome = try child.run(line: line, isCancelled: isCancelled)
        guard outcome.code == 0 else { throw Failure(code: outcome.code, errors: outcome.errors) }
        return outcome.output
    }
}

/// A temporary folder for the time of a publication, which only this user can read or write. It is removed when this
/// object is released.
final class RsyncTemporaryFolder {
    let path: String

    /// Creates the folder in that of the variable TMPDIR, or in /tmp if a path of the former can't be the path of ssh's
    /// socket.
    /// - Throws: `PublishError.cache`.
    init() throws(PublishError) {
        let usual = FileManager.default.temporaryDirectory.path
        let folders = Self.isUsable(forSocket: "\(usual)/gallerygen-XXXXXX/ssh") ? [usual] : ["/tmp", usual]
        var failure: Int32 = 0
        for folder in folders {
            var template = Array("\(folder)/gallerygen-XXXXXX".utf8CString)
            if mkdtemp(&template) != nil {
                // mkdtemp leaves the NUL at the end.
                path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
                return
            }
            failure = errno
        }
        throw .cache(path: usual, errno: failure)
    }

    /// Whether the path can be ssh's option `ControlPath`. rsync splits its option `--rsh` at spaces and reads quotes
    /// in it, and ssh expands "%" and "~". ssh adds 17 characters to the path of a socket, which has to fit into
    /// sockaddr_un.
    static func isUsable(forSocket path: String) -> Bool {
        path.utf8.count < 80
            && path.unicodeScalars.allSatisfy { scalar in
                ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                    || "/._-".unicodeScalars.contains(scalar)
            }
    }

    deinit {
        // If that fails, the system removes the folder some time later.
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
}
