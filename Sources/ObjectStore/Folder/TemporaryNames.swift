internal import Foundation

/// The names of the temporary files of a folder store: `.tmp/<host>.<pid>.<random>`, which no other process has.
struct TemporaryNames: Sendable {
    /// The folder of the temporary files.
    let folder: String
    private let process: String

    /// The age at which a temporary file is removed, in seconds. No object takes that long to write.
    private static let maxAge = 86_400

    init(store: String) {
        folder = store + "/.tmp"
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let host = String(decoding: bytes.filter { ObjectKey.isAllowed($0) && $0 != UInt8(ascii: "/") }, as: UTF8.self)
        process = "\(host.prefix(64)).\(getpid())"
    }

    /// The path of a new temporary file.
    func next() -> String { "\(folder)/\(process).\(Self.random())" }

    /// The path of a temporary file in the same folder as `path`, which `DerivativeCache` knows as one.
    static func path(beside path: String) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return "\(path[..<slash]).\(path[slash...]).\(random()).tmp"
    }

    private static func random() -> String { String(UInt64.random(in: 0 ... .max), radix: 36) }

    /// Removes files that killed processes have left. A failure leaves them to the next run.
    func removeOld() {
        guard let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        let oldest = Int(Date().timeIntervalSince1970) - Self.maxAge
        while let entry = readdir(directory) {
            let name = StoreFolder.name(of: entry)
            var status = stat()
            guard !name.hasPrefix("."), fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            #if canImport(Darwin)
                let time = status.st_mtimespec.tv_sec
            #else
                let time = status.st_mtim.tv_sec
            #endif
            if time < oldest { unlinkat(dirfd(directory), name, 0) }
        }
    }
}
