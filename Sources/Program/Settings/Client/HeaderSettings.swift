package import Downloads
internal import Yams

/// The `headers` of a settings file: the header fields that are sent to each host. No flag sets them, because other
/// users of the machine can see command lines. A value can refer to an environment variable: `Bearer ${TOKEN}`.
package struct HeaderSettings {
    package static let name = "headers"

    private struct Entry {
        let host: String
        let field: String
        /// The value as written in the file. No message may show it, because it might be a password.
        let value: String
        /// The position of the field, such as "gallerygen.yaml:3:9".
        let position: String
    }

    private var entries: [Entry] = []

    package init() {}

    /// Each header field with its host and its position in the file. The values are left out, because they might be
    /// passwords.
    var positions: [(field: String, position: String)] {
        entries.map { ("\($0.host): \($0.field)", $0.position) }
    }

    /// - Parameters:
    ///   - node: a mapping of hosts to mappings of names to values.
    ///   - position: a closure that returns the position of a node in the file, for messages.
    init(_ node: Node, position: (Node) -> String) throws(SettingsError) {
        guard let hosts = node.mapping else { throw Self.malformed(at: position(node)) }
        for (host, fields) in hosts {
            guard let name = host.string, let fields = fields.mapping else { throw Self.malformed(at: position(host)) }
            for (field, value) in fields {
                guard let fieldName = field.string, let text = value.scalar?.string else {
                    throw Self.malformed(at: position(field))
                }
                entries.append(Entry(host: name, field: fieldName, value: text, position: position(field)))
            }
        }
    }

    /// The header fields to send, with environment variables expanded.
    package func resolved(_ environment: [String: String]) throws(SettingsError) -> HostHeaders {
        var headers = HostHeaders()
        for entry in entries {
            let value = try Self.expanded(entry, environment)
            do {
                try headers.add(entry.field, value, to: entry.host)
            } catch {
                throw Self.error(entry, Self.message(error))
            }
        }
        return headers
    }

    private static func expanded(_ entry: Entry, _ environment: [String: String]) throws(SettingsError) -> String {
        var result = ""
        var rest = entry.value[...]
        while let start = rest.firstRange(of: "${") {
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                throw error(entry, "a '${' in its value has no '}'")
            }
            let variable = String(rest[start.upperBound..<end])
            guard let value = environment[variable], !value.isEmpty else {
                throw error(entry, "its value names the environment variable '\(variable)', which is not set")
            }
            result += rest[..<start.lowerBound] + value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func message(_ problem: HostHeaderProblem) -> String {
        switch problem {
        case .notAHost:
            "invalid host; expected a name or an IP address, as in example.org, example.org:8443 or http://example.org"
        case .notAName: "invalid name of a header field"
        case .reserved: "this field is set by the transfer and can't be changed"
        case .noValue: "it has no value"
        case .controlCharacter: "its value contains a line break or another control character"
        }
    }

    private static func error(_ entry: Entry, _ what: String) -> SettingsError {
        SettingsError(
            origin: .file(entry.position), message: "\(entry.position): \(name): \(entry.host): \(entry.field): \(what)"
        )
    }

    private static func malformed(at position: String) -> SettingsError {
        SettingsError(
            origin: .file(position),
            message: "\(position): \(name): expected hosts, each with header fields and their values")
    }
}
