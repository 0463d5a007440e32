package import PhotoModel

/// Decides from the first bytes of a body whether the rest is accepted.
package struct ContentCheck: Sendable {
    /// The version of the check. It must be raised whenever the check can decide differently about the same bytes:
    /// content that an earlier edition refused is then downloaded again, even if it has not changed.
    package let edition: Int
    /// The number of first bytes that the check needs; at least 1. Shorter content is checked as a whole.
    package let inspectedBytes: Int
    /// Returns why content that begins with these bytes is refused; nil if it is accepted.
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
    /// The address that the requested one has permanently moved to, as in `CachedOriginal.moved`.
    package var moved: String?

    package init(failure: Failure, edition: Int, metadata: CacheMetadata, moved: String? = nil) {
        self.failure = failure
        self.edition = edition
        self.metadata = metadata
        self.moved = moved
    }
}

/// The check of one body, which arrives in pieces of any size.
struct ContentInspection {
    private let check: ContentCheck
    private var start: [UInt8] = []
    private var isDecided = false

    init(_ check: ContentCheck) { self.check = check }

    /// Adds the next piece of the body.
    ///
    /// - Returns: why the body is refused, as soon as that is known.
    mutating func add(_ piece: UnsafeRawBufferPointer) -> Failure? {
        guard !isDecided else { return nil }
        start += piece.prefix(check.inspectedBytes - start.count)
        return start.count == check.inspectedBytes ? decide() : nil
    }

    /// Ends the body, which can be shorter than the bytes that the check needs.
    ///
    /// - Returns: why the body is refused, unless `add` has decided already.
    mutating func end() -> Failure? { isDecided ? nil : decide() }

    private mutating func decide() -> Failure? {
        isDecided = true
        defer { start = [] }
        return check.failure(start)
    }
}
