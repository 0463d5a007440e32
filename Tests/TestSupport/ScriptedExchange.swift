/// A request as a scripted server received it.
package struct ScriptedRequest: Sendable {
    package let method: String
    package let target: String
    /// The header fields by name in lower case.
    package let headers: [String: String]
    /// The request line and the header lines as they were received, with their line endings.
    package let head: [UInt8]

    init(head: [UInt8]) {
        self.head = head
        let text = String(decoding: head.dropLast(2), as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = (lines.first ?? "").split(separator: " ")
        method = words.first.map(String.init) ?? ""
        target = words.dropFirst().first.map(String.init) ?? ""
        headers = lines.dropFirst().reduce(into: [:]) { headers, line in
            guard let colon = line.firstIndex(of: ":") else { return }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
    }
}

/// A complete and correct response.
package struct ScriptedResponse: Sendable {
    package var status: Int
    package var headers: [String]
    package var body: [UInt8]

    package init(_ status: Int, _ headers: [String] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(_ status: Int, _ headers: [String] = [], text: String) {
        self.init(status, headers, body: Array(text.utf8))
    }

    var bytes: [UInt8] {
        // These statuses have no body, and so no length (RFC 9110 §8.6).
        let length = status == 204 || status == 304 ? [] : ["Content-Length: \(body.count)"]
        let head = ["HTTP/1.1 \(status) Scripted"] + headers + length + ["", ""]
        return Array(head.joined(separator: "\r\n").utf8) + body
    }
}
