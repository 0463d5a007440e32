/// Tables of version 7 that look otherwise now: their rows were found by a digest, and stood in the order of digests.
enum Version7 {
    static let source = Table(
        "source",
        [
            "key", "sha256", "bytes", "etag", "last_modified", "file_stamp", "validated", "fresh_until", "retry_after",
            "retry_status", "fetched",
        ])
    static let original = Table("original", ["sha256", "facts"])
    static let photo = Table(
        "photo", scope: "gallery",
        [
            "key", "slug", "state", "code", "message", "since", "stale_since", "stale_code", "stale_message", "sha256",
            "pictures", "attempts", "source", "recipe", "back", "fetched",
        ], uncovered: ["checked"])

    /// Each with the table that has its rows now.
    static let successors = [(source, Version8.source), (original, Table.original), (photo, Version9.photo)]
}
