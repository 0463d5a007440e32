internal import CLibXML2

/// What all parsers of libxml2 in this process share.
package enum LibXML2 {
    /// libxml2 must be set up once, before the first thread starts a parser.
    package static let initialize: Void = {
        xmlInitParser()
        // An instruction could name a catalog otherwise, and libxml2 would walk along all before it to add one.
        xmlCatalogSetDefaults(XML_CATA_ALLOW_NONE)
    }()
}

/// Bytes that libxml2 asks for piece by piece.
package struct ParserInput: Sendable {
    private let bytes: [UInt8]
    /// The number of bytes that were given out.
    package private(set) var offset = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Copies the next bytes into a buffer of `count` bytes.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    package mutating func read(into buffer: UnsafeMutablePointer<CChar>?, count: Int32) -> Int32 {
        let size = min(Int(count), bytes.count - offset)
        guard let buffer, size > 0 else { return 0 }
        bytes.withUnsafeBytes { source in
            // Both are `size` long: see the line above.
            UnsafeMutableRawBufferPointer(start: buffer, count: size)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[offset..<offset + size]))
        }
        offset += size
        return Int32(size)
    }
}
