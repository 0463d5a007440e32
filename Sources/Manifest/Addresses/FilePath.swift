/// Paths of this machine, processed as text only.
package enum FilePath {
    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// `path` as seen from the absolute folder `directory`, without ".", ".." and doubled slashes. Symbolic links are
    /// not resolved.
    package static func normalized(_ path: String, in directory: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(directory.utf8.count + path.utf8.count + 1)
        if !isAbsolute(path) { append(directory, to: &result) }
        append(path, to: &result)
        return result.isEmpty ? "/" : String(decoding: result, as: UTF8.self)
    }

    /// The shortest path from the folder `directory` to `path`: "../samples/lake.jpg". Both must be absolute and
    /// normalised.
    package static func relative(_ path: String, to directory: String) -> String {
        let target = Array(path.utf8)
        let base = Array(directory == "/" ? "".utf8 : directory.utf8)
        var common = zip(target, base).prefix { $0 == $1 }.count
        // Only whole components count: "/a/bc" is not in the folder "/a/b".
        let ends =
            (common == base.count || base[common] == slash) && (common == target.count || target[common] == slash)
        if !ends { common = target[..<common].lastIndex(of: slash) ?? 0 }
        let steps = base[common...].count { $0 == slash }
        let rest = target[common...].drop { $0 == slash }
        return String(repeating: "../", count: steps) + String(decoding: rest, as: UTF8.self)
    }

    package static func isAbsolute(_ path: String) -> Bool {
        path.utf8.first == slash
    }

    /// The folder that contains the file at the absolute path `path`.
    package static func directory(of path: String) -> String {
        normalized(path + "/..", in: "/")
    }

    /// Appends the components of `path` to the folder `result`, where ".." leads to the parent folder.
    private static func append(_ path: String, to result: inout [UInt8]) {
        var path = path
        path.withUTF8 { bytes in
            for component in bytes.split(separator: slash) {
                if component.elementsEqual(CollectionOfOne(dot)) { continue }
                if component.elementsEqual([dot, dot]) {
                    result.removeSubrange((result.lastIndex(of: slash) ?? 0)...)
                } else {
                    result.append(slash)
                    result.append(contentsOf: component)
                }
            }
        }
    }
}
