/// Paths of this machine, worked on as text only.
enum FilePath {
    /// `path` as seen from the absolute folder `directory`, without ".", ".." and doubled slashes. Symbolic links are
    /// not looked at.
    static func normalized(_ path: String, in directory: String) -> String {
        let full = isAbsolute(path) ? path : directory + "/" + path
        var components: [Substring.UTF8View] = []
        for component in Substring(full).utf8.split(separator: UInt8(ascii: "/")) {
            switch component {
            case _ where component.elementsEqual(".".utf8): break
            case _ where component.elementsEqual("..".utf8): _ = components.popLast()
            default: components.append(component)
            }
        }
        return "/" + components.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// The shortest way from the folder `directory` to `path`, both absolute and without dots: "../samples/lake.jpg".
    static func relative(_ path: String, to directory: String) -> String {
        let slash = UInt8(ascii: "/")
        let target = path.utf8.split(separator: slash)
        let base = directory.utf8.split(separator: slash)
        let common = zip(target, base).prefix { $0.elementsEqual($1) }.count
        let steps = Array(repeating: "..", count: base.count - common)
        return (steps + target.dropFirst(common).map { String(Substring($0)) }).joined(separator: "/")
    }

    static func isAbsolute(_ path: String) -> Bool {
        path.utf8.first == UInt8(ascii: "/")
    }

    /// The folder that the file at the absolute path `path` is in.
    static func directory(of path: String) -> String {
        normalized(path + "/..", in: "/")
    }
}
