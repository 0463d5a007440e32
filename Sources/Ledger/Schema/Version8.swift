/// The table of version 8 that has more columns now.
enum Version8 {
    static let source = Table(
        "source",
        [
            "number", "key", "sha256", "bytes", "etag", "last_modified", "file_stamp", "validated", "fresh_until",
            "retry_after", "retry_status", "fetched",
        ])
}
