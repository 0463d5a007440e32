/// The output of `rsync --list-only` for a folder, which has the kind and size of each entry.
struct RsyncListing {
    enum Kind: Hashable {
        case file, folder, other
    }

    struct Entry: Hashable {
        let kind: Kind
        let bytes: Int64
    }

    /// The entries by their paths relative to the folder.
    private(set) var entries: [String: Entry] = [:]

    /// - Parameter text: output with `--no-human-readable`, such as "-rw-r--r--           2 2026/11/25 14:49:56
    ///   images/y.jpg".
    init(_ text: String) {
        // The text is split as bytes, because the listing of a large site has many lines.
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 4, omittingEmptySubsequences: true)
            guard fields.count == 5, let bytes = Int64(String(Substring(fields[1]))) else { continue }
            let kind: Kind =
                switch fields[0].first {
                case UInt8(ascii: "-"): .file
                case UInt8(ascii: "d"): .folder
                default: .other
                }
            entries[String(Substring(fields[4]))] = Entry(kind: kind, bytes: bytes)
        }
    }

    /// Whether there is a regular file at a path of the site, and not below a symbolic link.
    func isFile(_ path: String) -> Bool {
        if let slash = path.firstIndex(of: "/"), entries[String(path[..<slash])]?.kind != .folder { return false }
        return entries[path]?.kind == .file
    }
}
