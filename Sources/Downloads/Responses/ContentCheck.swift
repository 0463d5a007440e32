package import PhotoModel

/// Decides by the first bytes of what arrives whether the rest is taken.
package struct ContentCheck: Sendable {
    /// To be raised when the same bytes may be decided on otherwise than before: what was refused until then is asked
    /// for anew, however little it changed.
    package let edition: Int
    /// The number of first bytes that the check needs; at least 1. Shorter content is checked whole.
    package let inspectedBytes: Int
    /// Why what begins with these bytes is not taken; nil if it is.
    package let failure: @Sendable ([UInt8]) -> Failure?

    package init(edition: Int, inspectedBytes: Int, failure: @escaping @Sendable ([UInt8]) -> Failure?) {
        self.edition = edition
        self.inspectedBytes = inspectedBytes
        self.failure = failure
    }
}

/// Content that was refused, and the metadata for revalidating it.
package struct RefusedContent: Hashable, Sendable {
    package var failure: Failure
    /// The edition of the check that refused the content.
    package var edition: Int
    package var metadata: CacheMetadata
    /// As `CachedOriginal.moved`.
    package var moved: String?

    package init(failure: Failure, edition: Int, metadata: CacheMetadata, moved: String? = nil) {
        self.failure = failure
        self.edition = edition
        self.metadata = metadata
        self.moved = moved
    }
}

/// The look at the beginning of one body, which arrives in pieces of any size.
struct ContentInspection {
    private let check: ContentCheck
    private var start: [UInt8] = []
    private var isDecided = false

    init(_ check: ContentCheck) { self.check = check }

    /// - Returns: why the body is not taken, once that shows.
    mutating func add(_ piece: UnsafeRawBufferPointer) -> Failure? {
        guard !isDecided else { return nil }
        start += piece.prefix(check.inspectedBytes - start.count)
        return start.count == check.inspectedBytes ? decide() : nil
    }

    /// The body has ended, maybe before as many bytes had come as are looked at.
    mutating func end() -> Failure? { isDecided ? nil : decide() }

    private mutating func decide() -> Failure? {
        isDecided = true
        defer { start = [] }
        return check.failure(start)
    }
}
