internal import CLibCurl

/// Owns a list of header lines for libcurl. The easy handle keeps a pointer to the list, so it must be freed first.
struct HeaderList: ~Copyable {
    private(set) var raw: UnsafeMutablePointer<curl_slist>?

    init() { raw = nil }

    /// - Parameter line: a header line, of which libcurl keeps a copy.
    mutating func append(_ line: String) throws(DownloadsError) {
        guard let longer = curl_slist_append(raw, line) else { throw DownloadsError(CURLE_OUT_OF_MEMORY) }
        raw = longer
    }

    /// Whether a text can be the value of a field, with a byte for each character (ISO 8859-1). Control characters are
    /// not allowed: they would end the field and begin another.
    static func isValidValue(_ value: String) -> Bool {
        !value.isEmpty && value.unicodeScalars.allSatisfy { (0x20...0xFF).contains($0.value) && $0.value != 0x7F }
    }

    /// Adds a field, unless its value is not valid in a header.
    mutating func append(_ name: StaticString, _ value: String) throws(DownloadsError) {
        var value = value
        // Nearly all values consist of printable ASCII, which is valid, and bytes are checked faster than characters.
        let isPrintableASCII = !value.isEmpty && value.withUTF8 { $0.allSatisfy { (0x20..<0x7F).contains($0) } }
        guard isPrintableASCII || Self.isValidValue(value) else { return }
        let code =
            isPrintableASCII
            ? value.withUTF8 { append(name, bytes: $0) }
            : value.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
                .withUnsafeBufferPointer { append(name, bytes: $0) }
        guard code == CURLE_OK else { throw DownloadsError(code) }
    }

    private mutating func append(_ name: StaticString, bytes value: UnsafeBufferPointer<UInt8>) -> CURLcode {
        let length = name.utf8CodeUnitCount + 2 + value.count
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length + 1) { line in
            // In bounds: the capacity covers the name, a colon, a space, the value, and the null byte.
            _ = line.update(
                fromContentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            line[name.utf8CodeUnitCount] = UInt8(ascii: ":")
            line[name.utf8CodeUnitCount + 1] = 0x20
            _ = line[(name.utf8CodeUnitCount + 2)...].update(fromContentsOf: value)
            line[length] = 0
            return line.withMemoryRebound(to: CChar.self) { line -> CURLcode in
                guard let longer = curl_slist_append(raw, line.baseAddress) else { return CURLE_OUT_OF_MEMORY }
                raw = longer
                return CURLE_OK
            }
        }
    }

    deinit { curl_slist_free_all(raw) }
}
