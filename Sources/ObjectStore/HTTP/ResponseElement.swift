internal import CLibXML2
internal import Foundation

/// An XML element of a store's response, with its text and its children.
struct ResponseElement {
    let name: String
    let text: String
    let children: [ResponseElement]

    /// - Returns: nil if the text is not well-formed XML.
    init?(_ bytes: [UInt8]) {
        // libxml2 opens no connection, and expands only the predefined entities. It does not recover from errors,
        // because a list of objects that was cut off must not count as complete.
        let options = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue)
        // A store keeps a connection alive with spaces before its answer.
        let document = bytes.drop { $0 <= UInt8(ascii: " ") }.withUnsafeBytes { bytes in
            xmlReadMemory(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count), nil, nil, options)
        }
        guard let document else { return nil }
        defer { xmlFreeDoc(document) }
        guard let root = xmlDocGetRootElement(document) else { return nil }
        self.init(root, depth: 0)
    }

    private init(_ node: xmlNodePtr, depth: Int) {
        var (children, text): ([ResponseElement], String) = ([], "")
        var next = node.pointee.children
        while let child = next {
            switch child.pointee.type {
            case XML_ELEMENT_NODE where depth < 8: children.append(ResponseElement(child, depth: depth + 1))
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
                if let content = child.pointee.content { text += String(cString: content) }
            default: break
            }
            next = child.pointee.next
        }
        name = node.pointee.name.map { String(cString: $0) } ?? ""
        self.text = text
        self.children = children
    }

    /// The first child with a name.
    func child(_ name: String) -> ResponseElement? { children.first { $0.name == name } }

    /// The text of the first child with a name.
    subscript(name: String) -> String? { child(name)?.text }
}
