internal import Foundation

/// Runs of rsync between folders of this machine and one of another, over one connection of ssh.
///
/// Nothing that comes from outside can become an option or a word of a command: the address is an operand after "--",
/// and paths go to the other machine as data (`--secluded-args`), not through a shell.
final class RsyncCommand {
    /// Why a run of rsync failed, by its exit code and what it said.
    struct Failure: Error {
        let code: Int32
        let errors: String

        /// Whether the file or folder on the other machine does not exist. rsync's messages are in English everywhere.
        var isMissing: Bool {
            code == 23 && (errors.contains("change_dir") || errors.contains("link_stat"))
                && errors.contains("No such file or directory (2)")
        }
    }

    /// A folder of this machine for lists of files, and for the socket of the shared connection.
    let temporary: TemporaryPlace
    private let target: String
    private let shell: String
    private let control: [String]
    private let environment: [String: String]
    private let isCancelled: () -> Bool

    /// Longest time to establish a connection, in seconds, and without hearing anything from the other machine.
    private static let connectTimeout = 20
    private static let silence = 60

    /// - Parameters:
    ///   - host: with a user or not.
    ///   - environment: RSYNC_RSH may name another program than ssh, or have options for it.
    /// - Throws: `PublishError.memory` if there is no place for temporary files.
    init(
        host: String, path: String, environment: [String: String], isCancelled: @escaping () -> Bool
    ) throws(PublishError) {
        temporary = try TemporaryPlace()
        // A path that begins with a hyphen is in the home folder, as any relative one.
        target = "\(host):\(path.hasPrefix("-") ? "./" + path : path)/"
        let named = environment["RSYNC_RSH"].flatMap { $0.isEmpty ? nil : $0 } ?? "ssh"
        let program = named.split(separator: " ").first.map { String($0.split(separator: "/").last ?? $0) }
        if program == "ssh" {
            var options = [
                // A password prompt would keep a job of cron waiting for ever.
                "BatchMode=yes", "ConnectTimeout=\(Self.connectTimeout)", "ServerAliveInterval=15",
                "ServerAliveCountMax=4",
            ]
            let socket = temporary.path + "/ssh"
            // ssh adds 17 characters to the name of a socket, which has to fit into sockaddr_un.
            if socket.utf8.count < 80 {
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
    ///   - files: paths that it works on, relative to source and target; nil: as the options say.
    ///   - operands: source and target.
    /// - Returns: standard output.
    func run(
        _ options: [String], files: [String]? = nil, _ operands: [String], line: (Substring) -> Void = { _ in }
    ) throws -> String {
        var arguments = ["rsync", "--rsh=\(shell)", "--secluded-args", "--8-bit-output", "--timeout=\(Self.silence)"]
        arguments += options
        if let files {
            let list = temporary.path + "/files"
            try temporary.write(files.map { $0 + "\0" }.joined(), to: list)
            arguments += ["--files-from=\(list)", "--from0"]
        }
        let child = ChildProcess(command: arguments + ["--"] + operands, environment: environment)
        let outcome = try child.run(line: line, isCancelled: isCancelled)
        guard outcome.code == 0 else { throw Failure(code: outcome.code, errors: outcome.errors) }
        return outcome.output
    }
}

/// A folder of this machine for the time of a publication, that nobody else can read or write. Removed when released.
final class TemporaryPlace {
    let path: String

    /// - Throws: `PublishError.memory`.
    init() throws(PublishError) {
        let folder = FileManager.default.temporaryDirectory.path
        var template = Array("\(folder)/gallerygen-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .memory(path: folder, errno: errno) }
        // mkdtemp leaves the NUL at the end.
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // The system clears the folders of temporary files.
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
}
