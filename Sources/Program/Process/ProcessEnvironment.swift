internal import Foundation
internal import PhotoModel

/// The environment of the process, read once: variables, current folder, clock and process id.
struct ProcessEnvironment {
    let variables: [String: String]
    let folder: String
    /// The clock, or what SOURCE_DATE_EPOCH pins it to.
    let now: Timestamp
    /// The real time in nanoseconds since 1970, even where SOURCE_DATE_EPOCH pins `now`.
    let startedAt: Int64
    /// The home folder from the system's user database, if HOME names no folder; nil for a user without an entry.
    let accountHome: String?

    static func read() throws(SettingsError) -> ProcessEnvironment {
        let environment = ProcessInfo.processInfo.environment
        return ProcessEnvironment(
            variables: environment, folder: FileManager.default.currentDirectoryPath,
            now: try clock(environment), startedAt: Int64(Date().timeIntervalSince1970 * 1e9),
            accountHome: namesFolder(environment["HOME"]) ? nil : accountHomeOfUser())
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
            // The result points into `texts`.
            guard let room = texts.baseAddress,
                getpwuid_r(geteuid(), &account, room, texts.count, &found) == 0, found != nil, let home = account.pw_dir
            else { return nil }
            return String(cString: home)
        }
    }

    /// SOURCE_DATE_EPOCH pins the clock (reproducible-builds.org).
    private static func clock(_ environment: [String: String]) throws(SettingsError) -> Timestamp {
        guard let text = environment["SOURCE_DATE_EPOCH"], !text.isEmpty else {
            return Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        }
        guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else {
            throw SettingsError(
                place: .environment,
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

    /// The user's home folder; nil if there is none.
    var home: String? { variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// Folders that no site may overwrite. HOME may be missing: cron and services often run without one.
    var homes: [String] { [home, accountHome].compactMap(\.self).filter { $0.hasPrefix("/") } }

    /// The absolute form of a path, without looking at the disk.
    func absolute(_ path: String, in base: String? = nil) -> String {
        let joined = path.hasPrefix("/") ? path : (base ?? folder) + "/" + path
        return URL(fileURLWithPath: joined).standardizedFileURL.path
    }
}
