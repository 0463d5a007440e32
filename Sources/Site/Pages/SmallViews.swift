internal import PhotoModel

/// A link: where to, and its words.
struct LinkView: TemplateSubject {
    let href: String
    var name = ""

    static let vocabulary = Vocabulary<LinkView>([
        "href": .text { $0.href },
        "name": .text { $0.name },
    ])
}

/// A number of photos; templates choose the singular by it.
struct CountView: TemplateSubject {
    let number: Int

    static let vocabulary = Vocabulary<CountView>([
        "number": .number { $0.number },
        "isOne": .flag { $0.number == 1 },
    ])
}

/// A moment: for machines, and in words that need no language.
struct TimeView: TemplateSubject {
    /// RFC 3339, or nil if the manifest has some other text.
    let machine: String?
    let text: String

    /// "2026-01-02 03:04 UTC".
    init(_ timestamp: Timestamp) {
        let machine = timestamp.description
        self.machine = machine
        text = "\(machine.prefix(10)) \(machine.dropFirst(11).prefix(5)) UTC"
    }

    /// The date that a manifest gives: RFC 3339, of which a midnight is left out, or any text.
    init(manifestDate: String) {
        if let timestamp = Timestamp(manifestDate) {
            machine = manifestDate
            text = manifestDate.removing(suffix: "T00:00:00Z") ?? TimeView(timestamp).text
        } else {
            machine = nil
            text = manifestDate
        }
    }

    static let vocabulary = Vocabulary<TimeView>([
        "machine": .text { $0.machine },
        "text": .text { $0.text },
    ])
}

/// Why a photo failed or could not be refreshed.
struct ReasonView: TemplateSubject {
    let reason: Reason

    static let vocabulary = Vocabulary<ReasonView>([
        "code": .text { $0.reason.code.rawValue },
        "message": .text { $0.reason.message },
    ])
}

/// Since when the picture shown is an old one, and why.
struct StaleView: TemplateSubject {
    let stale: Stale

    static let vocabulary = Vocabulary<StaleView>(
        with: { ReasonView(reason: $0.stale.reason) },
        ["since": .object { TimeView($0.stale.since) }])
}
