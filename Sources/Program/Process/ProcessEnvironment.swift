internal import Foundation
internal import PhotoModel

/// The environment of the process, read once: variables, current folder, clock and process id.
struct ProcessEnvironment {
    let variables: [String: String]
    let folder: String
    /// The time of the clock, or the time that SOURCE_DATE_EPOCH pins it to.
    let now: Timestamp
    /// The system's time in nanoseconds since 1970, even if SOURCE_DATE_EPOCH pins `now`.
    let startedAt: Int64
    /// The home folder from the system's user database, if HOME does not name a folder; nil for a user without an
    /// entry.
    let accountHome: String?

    static func read() throws(SettingsError) -> ProcessEnvironment {
        let environment = ProcessInfo.processInfo.environment
        try checkVariables(environment)
        let startedAt = Int64(Date().timeIntervalSince1970 * 1e9)
        return ProcessEnvironment(
            variables: environment, folder: try currentFolder(),
            now: try clock(environment, at: startedAt), startedAt: startedAt,
            accountHome: namesFolder(environment["HOME"]) ? nil : accountHomeOfUser())
    }

    /// The path of the folder that was the current one at the start, even if it has been removed since.
    static func currentFolder() throws(SettingsError) -> String { try folderAtStart.get() }

    private static let folderAtStart = Result { () throws(SettingsError) in try readCurrentFolder() }

    /// Foundation's path would be "" for a folder that was removed, so that relative paths would be below the root, and
    /// it would replace bytes that are not UTF-8.
    private static func readCurrentFolder() throws(SettingsError) -> String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard getcwd(&path, path.count) != nil else {
            let why = errno == ENOENT ? "it does not exist any more" : systemMessage(errno)
            throw SettingsError(origin: .missing, message: "the current folder can't be used: \(why)")
        }
        guard let folder = String(validating: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        else { throw SettingsError(origin: .missing, message: "the path of the current folder is not UTF-8") }
        return folder
    }

    /// Refuses settings in variables that are not UTF-8. Their bytes would be replaced, and a path would lead to
    /// another file.
    private static func checkVariables(_ environment: [String: String]) throws(SettingsError) {
        for (name, value) in environment
        where name.hasPrefix("GALLERYGEN_") && value.unicodeScalars.contains("\u{FFFD}") {
            guard let bytes = getenv(name), String(validatingCString: bytes) == nil else { continue }
            throw SettingsError(origin: .environment, message: "environment variable \(name) is not UTF-8")
        }
    }

    private static func namesFolder(_ home: String?) -> Bool {
        var isFolder: ObjCBool = false
        guard let home, home.hasPrefix("/") else { return false }
        return FileManager.default.fileExists(atPath: home, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func accountHomeOfUser() -> String? {
        var (account, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var texts = [CChar](repeating: 0, count: 1 << 14)
        return texts.withUnsafeMutableBufferPointer { texts in
            // `account` points into `texts`.
            guard let room = texts.baseAddress,
                getpwuid_r(geteuid(), &account, room, texts.count, &found) == 0, found != nil, let home = account.pw_dir
            else { return nil }
            return String(cString: home)
        }
    }

    /// The clock, which SOURCE_DATE_EPOCH pins (reproducible-builds.org).
    /// - Parameter startedAt: the system's time in nanoseconds since 1970.
    private static func clock(
        _ environment: [String: String], at startedAt: Int64
    ) throws(SettingsError) -> Timestamp {
        guard let text = environment["SOURCE_DATE_EPOCH"], !text.isEmpty else {
            return Timestamp(seconds: startedAt / 1_000_000_000)
        }
        guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else {
            throw SettingsError(
                origin: .environment,
                message: "environment variable SOURCE_DATE_EPOCH: '\(text)' is not allowed; expected seconds since 1970"
            )
        }
        return Timestamp(seconds: seconds)
    }

    /// The description of this process in the lock file.
    var lockHolder: String {
        "process \(ProcessInfo.processInfo.processIdentifier) on \(ProcessInfo.processInfo.hostName), "
            + "since \(Timestamp(seconds: startedAt / 1_000_000_000))\n"
    }

    /// The user's home folder according to HOME; nil if HOME is not an absolute path.
    var home: String? { variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// The folders that no site may overwrite. HOME alone is not enough, because cron and services often run without
    /// it.
    var homes: [String] { [home, accountHome].compactMap(\.self).filter { $0.hasPrefix("/") } }

    /// The absolute form of a path. The disk is not accessed. As shells don't expand "~" in `--output=~/www`, and a
    /// settings file has no shell, a "~" at the beginning means the user's home folder.
    func absolute(_ path: String, in base: String? = nil) -> String {
        var joined = path.hasPrefix("/") ? path : (base ?? folder) + "/" + path
        if path == "~" || path.hasPrefix("~/"), let home = homes.first { joined = home + path.dropFirst() }
        return URL(fileURLWithPath: joined).standardizedFileURL.path
    }
}
