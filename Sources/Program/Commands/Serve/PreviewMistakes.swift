internal import Preview

/// The mistakes that keep a preview from following its gallery. Each stays until its own source is good again.
struct PreviewMistakes {
    /// The source of a mistake.
    enum Origin: Sendable {
        /// The list, the settings, the templates and other files of this machine.
        case files
        /// The lists with a URL.
        case remoteLists
    }

    private var messages: [Origin: PreviewMessage] = [:]

    /// The mistake that open pages show.
    var shown: PreviewMessage? { messages[.files] ?? messages[.remoteLists] }

    /// The latest mistake from an origin; nil if it is good.
    subscript(origin: Origin) -> PreviewMessage? { messages[origin] }

    /// Notes a mistake, or with nil that there is none any more.
    /// - Returns: the message for open pages; nil if they show what they have shown before.
    mutating func set(_ message: PreviewMessage?, from origin: Origin) -> PreviewMessage? {
        let before = shown
        messages[origin] = message
        return shown == before ? nil : shown ?? .mended
    }
}

extension PreviewMessage {
    /// - Parameter messages: the messages of a failure, at least one. The place of the first is that of the mistake.
    init(mistake messages: [String]) {
        let first = messages.first ?? ""
        let pattern = /(?<file>[^:\n]+):(?<line>[0-9]+)(?::(?<column>[0-9]+))?: (?<text>(?s).*)/
        guard let match = first.wholeMatch(of: pattern) else {
            self = .mistake(messages.joined(separator: "\n"), file: nil, line: nil, column: nil)
            return
        }
        let text = ([String(match.text)] + messages.dropFirst()).joined(separator: "\n")
        self = .mistake(
            text, file: String(match.file), line: Int(match.line), column: match.column.flatMap { Int($0) })
    }
}
