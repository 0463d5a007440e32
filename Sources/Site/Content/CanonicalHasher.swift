internal import PhotoModel

/// Feeds values to a hasher in an unambiguous encoding: each text follows its length, and an absent text is encoded as
/// a length that no text has.
struct CanonicalHasher: ~Copyable {
    /// The hasher, which is only created once the buffer gets too large: creating one takes longer than hashing most
    /// texts.
    private var hasher: ContentHasher?
    private var buffer: [UInt8] = []

    init() { buffer.reserveCapacity(1 << 10) }

    mutating func add(_ photo: SitePhoto) {
        add(photo.name, photo.slug, photo.source, photo.sourceLink, photo.state.rawValue)
        add(photo.sha256)
        add(photo.colour, photo.taken, photo.camera, photo.lens, photo.exposure)
        add(photo.manifestPosition, photo.vote?.rawValue)
        add(photo.retryAfter?.seconds)
        add(photo.album)
        add(photo.details)
        add(photo.reason)
        add(photo.since.seconds)
        add(photo.recovered?.seconds)
        add(photo.downloaded?.seconds)
        add(photo.stale?.since.seconds)
        add(photo.stale?.reason)
        // Marks are only added if there are any, so that photos without them have the same digests as before their
        // introduction.
        for mark in photo.marks {
            add("mark", mark.code.rawValue, mark.message)
            add(mark.since.seconds)
        }
        add(photo.width)
        add(photo.height)
        add(photo.images.count)
        for image in photo.images { add(image) }
        add(photo.original == nil ? 0 : 1)
        if let original = photo.original { add(original) }
        // Versions are only added if there are any, for the same reason.
        for version in photo.versions {
            add("version", version.sha256.hex)
            add(version.downloaded?.seconds)
            if let image = version.image { add(image) }
        }
    }

    mutating func add(_ details: PhotoDetails) {
        add(details.caption, details.alt, details.credit, details.license, details.link, details.date)
        add(details.tags)
        add(details.rating.map { Int64(bitPattern: $0.bitPattern) })
    }

    mutating func add(_ image: SiteImage) {
        add(image.width)
        add(image.height)
        add(image.bytes)
        add(image.path)
        // WebP is only added if there is one, so that photos and pages without it have the same digests as before its
        // introduction.
        if let webp = image.webp {
            add("webp", webp.path)
            add(webp.bytes)
        }
    }

    mutating func add(_ reason: Reason?) { add(reason?.code.rawValue, reason?.message) }

    mutating func add(_ texts: [String]) {
        add(texts.count)
        for text in texts { add(text) }
    }

    mutating func add(_ texts: String?...) {
        for text in texts {
            guard let text else {
                add(-1)
                continue
            }
            add(text.utf8.count)
            buffer.append(contentsOf: text.utf8)
        }
        if buffer.count > 1 << 16 { flush() }
    }

    mutating func add(_ number: (some FixedWidthInteger)?) {
        guard let number else {
            buffer.append(0)
            return
        }
        // A 1 and the eight bytes of the number are appended in one step, because this is done 30 times for each photo.
        let bits = UInt64(bitPattern: Int64(number))
        let words = (((bits << 8) | 1).littleEndian, (bits >> 56).littleEndian)
        // In bounds: the two words have 16 bytes, one after the other.
        withUnsafeBytes(of: words) { buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<9])) }
    }

    /// Adds a digest as the text of its hexadecimal digits.
    mutating func add(_ digest: Digest?) {
        guard let digest else { return add(-1) }
        add(Digest.digitCount)
        digest.append(to: &buffer)
        if buffer.count > 1 << 16 { flush() }
    }

    private mutating func flush() {
        var hasher = self.hasher.take() ?? ContentHasher()
        hasher.update(buffer.span.bytes)
        self.hasher = consume hasher
        buffer.removeAll(keepingCapacity: true)
    }

    consuming func finish() -> Digest {
        guard hasher != nil else { return Digest(of: buffer) }
        flush()
        return (hasher.take() ?? ContentHasher()).finish()
    }
}
