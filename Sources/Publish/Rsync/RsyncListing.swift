/// What `rsync --list-only` says of a folder: a line for each entry, with its kind and its size.
struct RsyncListing {
    enum Kind: Hashable {
        case file, folder, other
    }

    struct Entry: Hashable {
        let kind: Kind
        let bytes: Int64
    }

    /// By path relative to the folder.
    private(set) var entries: [String: Entry] = [:]

    /// - Parameter text: written with `--no-human-readable`: "-rw-r--r--           2 2026/11/25 14:49:56 images/y.jpg".
    init(_ text: String) {
        // By bytes: a listing of a large site has many lines.
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
}
