internal import CLibXML2

/// The state that all parsers of libxml2 in this process share.
package enum LibXML2 {
    /// Initialises libxml2, which must happen once before the first thread starts a parser.
    package static let initialize: Void = {
        xmlInitParser()
        // Otherwise, a processing instruction could name a catalog, and libxml2 would walk through all earlier ones to
        // add it.
        xmlCatalogSetDefaults(XML_CATA_ALLOW_NONE)
    }()
}

/// The bytes that libxml2 reads piece by piece.
package struct ParserInput: Sendable {
    private let bytes: [UInt8]
    /// The number of bytes that have been read.
    package private(set) var offset = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Copies the next bytes into a buffer of `count` bytes.
    ///
    /// - Returns: the number of bytes copied; 0 at the end.
    package mutating func read(into buffer: UnsafeMutablePointer<CChar>?, count: Int32) -> Int32 {
        let size = min(Int(count), bytes.count - offset)
        guard let buffer, size > 0 else { return 0 }
        bytes.withUnsafeBytes { source in
            // In bounds: `size` is at most `count`, and at most the number of bytes that are left.
            UnsafeMutableRawBufferPointer(start: buffer, count: size)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[offset..<offset + size]))
        }
        offset += size
        return Int32(size)
    }
}
