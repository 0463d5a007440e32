import Foundation
import Processes
import TestSupport
import Testing

@Suite struct ChildProcessTests {
    @Test("A program's lines come one by one, and its exit code at the end")
    func child() throws {
        var lines: [String] = []
        let outcome = try ChildProcess(
            command: ["sh", "-c", "echo one; echo two; echo problem >&2; exit 7"],
            environment: ["PATH": "/usr/bin:/bin"]
        ).run(line: { lines.append(String($0)) }, isCancelled: { false })
        #expect(lines == ["one", "two"])
        #expect(outcome.code == 7 && outcome.output == "one\ntwo\n" && outcome.errors == "problem\n")
    }

    @Test("What a process writes to standard error after the end of a failed program is read, as long as is wanted")
    func lateErrors() throws {
        let command = "(while kill -0 $$; do :; done 2>/dev/null; echo late >&2) & exit 7"
        let delay = Duration.seconds(20)
        let start = ContinuousClock.now
        let child = ChildProcess(
            command: ["sh", "-c", command], environment: ["PATH": "/usr/bin:/bin"], lateErrors: delay)
        #expect(try child.run(isCancelled: { false }).errors == "late\n")
        // No process has its standard error any more, so nothing is waited for.
        #expect(.now - start < delay)
    }

    @Test("An interruption after the end of a failed program counts, and ends all that the program has started")
    func lateInterruption() throws {
        let folder = TemporaryFolder()
        let command = "sleep 60 & echo $$ $! > '\(folder.path)/pids'; exit 7"
        let child = ChildProcess(
            command: ["sh", "-c", command], environment: ["PATH": "/usr/bin:/bin"], lateErrors: .seconds(60))
        func processes() -> [pid_t] {
            let bytes = FileManager.default.contents(atPath: folder.path + "/pids") ?? Data()
            return String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }.compactMap { pid_t($0) }
        }
        // The program exists until its exit code has been read.
        let error = #expect(throws: ChildProcess.Problem.self) {
            try child.run(isCancelled: { processes().count == 2 && kill(processes()[0], 0) != 0 })
        }
        guard case .interrupted = error else {
            Issue.record("not interrupted: \(String(describing: error))")
            return
        }
        #expect(hasEnded(processes()[1]))
    }

    @Test("A program that is interrupted ends with all that it has started")
    func interruption() throws {
        let folder = TemporaryFolder()
        let command = "sleep 60 & echo $! > '\(folder.path)/new'; mv '\(folder.path)/new' '\(folder.path)/pid'; wait"
        let child = ChildProcess(command: ["sh", "-c", command], environment: ["PATH": "/usr/bin:/bin"])
        #expect(throws: ChildProcess.Problem.self) {
            try child.run(isCancelled: { FileManager.default.fileExists(atPath: folder.path + "/pid") })
        }
        let text = String(decoding: try folder.bytes(of: "pid"), as: UTF8.self)
        let process = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
        #expect(hasEnded(process))
    }

    /// Whether a process that was told to end does so within ten seconds. No system call waits for a process whose
    /// parent has ended, so its existence is checked every 10 ms.
    private func hasEnded(_ process: pid_t) -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while kill(process, 0) == 0, !isZombie(process), .now < deadline { usleep(10_000) }
        return .now < deadline
    }

    private func isZombie(_ process: pid_t) -> Bool {
        let stat = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
        return String(decoding: stat, as: UTF8.self).contains(") Z ")
    }

    @Test("A program inherits no open file, even one that was opened without O_CLOEXEC")
    func openFiles() throws {
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        #expect(fcntl(descriptor, F_GETFD) == 0)
        let outcome = try shell("test -e /dev/fd/2 && ! test -e /dev/fd/\(descriptor)").run(isCancelled: { false })
        #expect(outcome.code == 0)
    }

    @Test("A program that is not there is a problem with ENOENT")
    func missing() {
        #expect {
            try ChildProcess(command: ["no-such-program-here"], environment: [:]).run(isCancelled: { false })
        } throws: { error in
            if case ChildProcess.Problem.start(ENOENT) = error { true } else { false }
        }
    }

    @Test("A program reads its input to the end, however much it is")
    func input() throws {
        let input = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        let outcome = try shell("wc -c", input: input).run(isCancelled: { false })
        #expect(outcome.code == 0)
        #expect(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines) == "1048576")
    }

    @Test("A program that closes its input is not a problem")
    func closedInput() throws {
        signal(SIGPIPE, SIG_IGN)
        let input = [UInt8](repeating: 0, count: 1 << 20)
        let outcome = try shell("exec <&-; exit 3", input: input).run(isCancelled: { false })
        #expect(outcome.code == 3)
    }

    @Test("A program starts in the folder that is named")
    func folder() throws {
        let folder = TemporaryFolder()
        let outcome = try ChildProcess(
            command: ["sh", "-c", "echo > here"], environment: ["PATH": "/usr/bin:/bin"], folder: folder.path
        ).run(isCancelled: { false })
        #expect(outcome.code == 0)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/here"))
    }

    @Test("Only the end of a long output is kept")
    func longOutput() throws {
        let outcome = try shell("seq 200000; seq 200000 >&2", outputLimit: 14).run(isCancelled: { false })
        #expect(outcome.output == "199999\n200000\n" && outcome.errors == "199999\n200000\n")
    }

    private func shell(_ command: String, input: [UInt8]? = nil, outputLimit: Int = .max) -> ChildProcess {
        ChildProcess(
            command: ["sh", "-c", command], environment: ["PATH": "/usr/bin:/bin"], input: input,
            outputLimit: outputLimit)
    }
}
