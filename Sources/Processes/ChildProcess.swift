internal import CFileCalls
internal import Foundation

/// Another program, which is run to its end. It runs in a process group of its own, so that an interruption also ends
/// the processes that it has started, and Ctrl-C does not reach it directly.
package struct ChildProcess {
    package struct Outcome {
        /// The exit code, or 128 and the number of the signal that ended the program.
        package let code: Int32
        package let output: String
        package let errors: String
    }

    package enum Problem: Error {
        /// The program could not be started; `errno` is that of posix_spawn(3).
        case start(errno: Int32)
        /// The exit status of the program is not known; `errno` is that of waitpid(2).
        case wait(errno: Int32)
        case interrupted
    }

    /// The name of the program, which is searched for in PATH, and its arguments.
    private let command: [String]
    private let environment: [String: String]
    /// The folder in which the program starts; nil for the current one.
    private let folder: String?
    /// The bytes of its standard input; nil for none. SIGPIPE must be ignored, because the program might not read them.
    private let input: [UInt8]?
    /// How many bytes of each output are returned at most: the last ones.
    private let outputLimit: Int
    /// How long the standard error of a failed program is read after its end, unless all processes have closed it.
    private let lateErrors: Duration

    /// The interval between two checks for an interruption, in milliseconds.
    private static let pollInterval: Int32 = 100

    /// - Parameter lateErrors: how long the standard error of a failed program is read after its end. Processes that it
    ///   has started might write the cause then.
    package init(
        command: [String], environment: [String: String], folder: String? = nil, input: [UInt8]? = nil,
        outputLimit: Int = .max, lateErrors: Duration = .zero
    ) {
        self.command = command
        self.environment = environment
        self.folder = folder
        self.input = input
        self.outputLimit = outputLimit
        self.lateErrors = lateErrors
    }

    /// - Parameters:
    ///   - line: a closure that is called for each line of standard output as soon as it is written.
    ///   - isCancelled: a closure that is called repeatedly; if it returns true, the program is ended.
    package func run(line: (Substring) -> Void = { _ in }, isCancelled: () -> Bool) throws(Problem) -> Outcome {
        guard let outputs = OutputPipe(), let errors = OutputPipe() else { throw .start(errno: errno) }
        var inputs: InputPipe?
        if let input {
            guard let pipe = InputPipe(input) else { throw .start(errno: errno) }
            inputs = pipe
        }
        let process = try start(input: inputs?.reading, output: outputs.writing, errors: errors.writing)
        inputs?.closeReading()
        outputs.closeWriting()
        errors.closeWriting()
        var (output, unfinished, errorText) = ([UInt8](), [UInt8](), [UInt8]())
        var status: Int32 = 0
        func readAll() {
            let new = outputs.read()
            output += new
            errorText += errors.read()
            output.removeFirst(max(0, output.count - outputLimit))
            errorText.removeFirst(max(0, errorText.count - outputLimit))
            unfinished += new
            var start = 0
            while let end = unfinished[start...].firstIndex(of: UInt8(ascii: "\n")) {
                line(String(decoding: unfinished[start..<end], as: UTF8.self)[...])
                start = end + 1
            }
            // A line that never ends is cut, so that it takes no more memory than the limit.
            unfinished.removeFirst(max(start, unfinished.count - outputLimit))
        }
        while true {
            var polled = [
                pollfd(fd: outputs.awaited, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors.awaited, events: Int16(POLLIN), revents: 0),
                pollfd(fd: inputs?.awaited ?? -1, events: Int16(POLLOUT), revents: 0),
            ]
            // The loop ends with the program and not with its output, because ssh leaves a process behind that shares
            // the connection and holds the pipes open.
            let ended = waitpid(process, &status, WNOHANG)
            if ended < 0, errno != EINTR { throw .wait(errno: errno) }
            if ended != process { poll(&polled, nfds_t(polled.count), Self.pollInterval) }
            readAll()
            inputs?.write()
            if ended == process { break }
            if isCancelled() {
                end(process)
                throw .interrupted
            }
        }
        let clock = ContinuousClock()
        let deadline = clock.now + lateErrors
        while status != 0, errors.awaited >= 0, clock.now < deadline {
            if isCancelled() {
                end(process)
                throw .interrupted
            }
            var polled = pollfd(fd: errors.awaited, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, Self.pollInterval)
            readAll()
        }
        // Swift can't call the macros WIFEXITED and WEXITSTATUS.
        let signal = status & 0x7F
        return Outcome(
            code: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errorText, as: UTF8.self))
    }

    private func end(_ process: pid_t) {
        var status: Int32 = 0
        kill(-process, SIGTERM)
        // The program gets one second to tell the other machine, which then removes partial files.
        for _ in 0..<20 {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process || ended < 0 && errno != EINTR {
                // The processes that the program has started might go on.
                kill(-process, SIGKILL)
                return
            }
            usleep(50_000)
        }
        kill(-process, SIGKILL)
        waitpid(process, &status, 0)
    }

    private func start(input: Int32?, output: Int32, errors: Int32) throws(Problem) -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
            let closing = POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
            let closing: Int32 = 0
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        // No file or socket of this program stays open in the new one, which may outlive it. Libraries open some
        // without O_CLOEXEC.
        file_close_others(&actions)
        if let folder { file_start_in(&actions, folder) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The program would inherit blocked and ignored signals.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&all)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGCONT, SIGUSR1, SIGXFSZ] {
            sigaddset(&all, signal)
        }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP | closing
        posix_spawnattr_setflags(&attributes, Int16(flags))
        // The copies of the strings live until the program has started.
        let arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, command[0], &actions, &attributes, arguments, variables)
        guard failure == 0 else { throw .start(errno: failure) }
        return process
    }
}

/// A pipe from a child process. Reading never blocks.
private final class OutputPipe {
    let reading: Int32
    let writing: Int32
    private var isWritable = true
    private var hasEnded = false

    /// The most bytes of one reading, because a process might write without end. A full pipe has fewer.
    private static let readLimit = 1 << 20

    /// The end to poll; -1, which poll(2) skips, if nothing more will come.
    var awaited: Int32 { hasEnded ? -1 : reading }

    /// - Returns: nil, with `errno` set, if no pipe could be created.
    init?() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        (reading, writing) = (ends[0], ends[1])
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    }

    deinit {
        closeWriting()
        close(reading)
    }

    func closeWriting() {
        if isWritable { close(writing) }
        isWritable = false
    }

    /// Reads the bytes that the pipe has at the moment.
    func read() -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while !hasEnded, bytes.count < Self.readLimit {
            let count = Foundation.read(reading, &chunk, chunk.count)
            guard count > 0 else {
                hasEnded = count == 0
                break
            }
            bytes += chunk[..<count]
        }
        return bytes
    }
}

/// A pipe to a child process. Writing never blocks.
private final class InputPipe {
    let reading: Int32
    private let writing: Int32
    private var rest: ArraySlice<UInt8>
    private var isReadable = true
    private var isWritable = true

    /// The end to poll; -1, which poll(2) skips, if everything is written.
    var awaited: Int32 { isWritable ? writing : -1 }

    /// - Parameter bytes: all that the process will read.
    /// - Returns: nil, with `errno` set, if no pipe could be created.
    init?(_ bytes: [UInt8]) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        (reading, writing) = (ends[0], ends[1])
        rest = bytes[...]
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    }

    deinit {
        closeReading()
        closeWriting()
    }

    func closeReading() {
        if isReadable { close(reading) }
        isReadable = false
    }

    private func closeWriting() {
        if isWritable { close(writing) }
        isWritable = false
    }

    /// Writes as much as the pipe takes at the moment. A process that has closed its standard input gets no more.
    func write() {
        while isWritable, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(writing, $0.baseAddress, $0.count) }
            guard count >= 0 else {
                if errno != EAGAIN && errno != EINTR { closeWriting() }
                return
            }
            rest = rest.dropFirst(count)
        }
        closeWriting()
    }
}
