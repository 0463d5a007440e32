/// The code of a failure in status.json, in the ledger and in messages.
package enum ReasonCode: String, Codable, CaseIterable, Sendable {
    case notFound = "not-found"
    case forbidden
    case httpStatus = "http-status"
    case dns
    case connect
    case tls
    case timeout
    case stalled
    case interrupted
    case tooManyRedirects = "too-many-redirects"
    case blockedAddress = "blocked-address"
    case unsupportedScheme = "unsupported-scheme"
    case tooLarge = "too-large"
    case notAnImage = "not-an-image"
    case unsupportedFormat = "unsupported-format"
    case truncated
    case corrupt
    case tooManyPixels = "too-many-pixels"
    case missingFile = "missing-file"
    case unreadableFile = "unreadable-file"
    case badAddress = "bad-address"
    case changed
}

/// Why a photo failed, as the ledger stores it: a code, and the sentence with its values. The text is only produced
/// when it is shown: in English by `message`, and in the language of a page by the module Site.
package struct Reason: Codable, Hashable, Sendable {
    package let code: ReasonCode
    package let sentence: ReasonSentence
    /// The values of the sentence, by the names of its placeholders.
    package let arguments: [String: ReasonArgument]

    package init(_ code: ReasonCode, _ sentence: ReasonSentence, _ arguments: [String: ReasonArgument] = [:]) {
        self.code = code
        self.sentence = sentence
        self.arguments = arguments
    }

    /// The sentence in English.
    package var message: String { sentence.english.filled(with: arguments.mapValues(\.english)) }

    /// Parses a sentence that was stored without its values: in a ledger before version 10, or in status.json, which is
    /// read if the ledger is lost. A sentence that matches no pattern of its code is kept verbatim, as are those of
    /// earlier versions.
    package init(code: ReasonCode, message: String) {
        for sentence in ReasonSentence.allCases where sentence.code == code {
            guard let values = sentence.english.values(in: message) else { continue }
            self.init(code, sentence, values.mapValues(ReasonArgument.init(shown:)))
            return
        }
        self.init(code, .verbatim, ["text": .text(message)])
    }

    /// Whether both reasons are the same failure, or both are nil. Only the code of a verbatim sentence can be
    /// compared. Earlier versions stored values as text, so sentences are compared as they are shown.
    package static func areSame(_ one: Reason?, _ other: Reason?) -> Bool {
        guard let one, let other, one != other else { return one == other }
        guard one.code == other.code else { return false }
        return one.sentence == .verbatim || other.sentence == .verbatim || one.message == other.message
    }
}

extension Reason {
    /// Chooses the sentence for a failure, and fills in its facts.
    package init(_ failure: Failure) {
        switch failure {
        case .notFound(let status): self.init(.notFound, .notFound, ["status": .number(status)])
        case .forbidden(let status): self.init(.forbidden, .forbidden, ["status": .number(status)])
        case .httpStatus(let status): self.init(.httpStatus, .httpStatus, ["status": .number(status)])
        case .dns(let host): self.init(.dns, .dns, ["host": .text(host)])
        case .connect(let host): self.init(.connect, .connect, ["host": .text(host)])
        case .tls(let host, let detail): self.init(.tls, .tls, ["host": .text(host), "detail": .text(detail)])
        case .proxy(let host, let problem): self.init(proxy: host, problem)
        case .timeout(let seconds): self.init(.timeout, .timeout, ["duration": .seconds(seconds)])
        case .stalled(let seconds): self.init(.stalled, .stalled, ["duration": .seconds(seconds)])
        case .interrupted: self.init(.interrupted, .interrupted)
        case .tooManyRedirects(let limit): self.init(.tooManyRedirects, .tooManyRedirects, ["limit": .number(limit)])
        case .blockedAddress(let host, let refusal): self.init(blocked: host, refusal)
        case .unsupportedScheme(let scheme):
            self.init(.unsupportedScheme, .unsupportedScheme, ["scheme": .text(scheme)])
        case .tooLarge(let limit): self.init(.tooLarge, .tooLarge, ["size": .bytes(limit)])
        case .notAnImage(let found): self.init(.notAnImage, .notAnImage, ["phrase": .content(found)])
        case .unsupportedFormat(let format):
            self.init(.unsupportedFormat, .unsupportedFormat, ["format": .text(format)])
        case .truncated: self.init(.truncated, .truncated)
        case .corrupt(let detail): self.init(.corrupt, .corrupt, ["detail": .text(detail)])
        case .damaged(let damage): self.init(.corrupt, .corrupt, ["detail": .damage(damage)])
        case .tooManyPixels(let width, let height, let limit):
            self.init(
                .tooManyPixels, .tooManyPixels,
                ["width": .number(width), "height": .number(height), "limit": .pixels(limit)])
        case .sideTooLong(let width, let height, let limit):
            self.init(
                .tooManyPixels, .tooManyPixelsASide,
                ["width": .number(width), "height": .number(height), "limit": .number(limit)])
        case .tooMuchMemory(let needed, let limit):
            self.init(
                .tooLarge, .tooLargeToDecode,
                [
                    "needed": Self.wholeMegabytes(needed), "size": .bytes(limit),
                    "option": .text(Self.sufficientMemoryOption(for: needed)),
                ])
        case .noMemory(let needed): self.init(.tooLarge, .tooLargeForSystem, ["needed": Self.wholeMegabytes(needed)])
        case .missingFile(let path): self.init(.missingFile, .missingFile, ["path": .text(path)])
        case .unreadableFile(let path, let problem): self.init(unreadable: path, .file(problem))
        case .fileError(let path, let code): self.init(unreadable: path, .systemError(code))
        case .otherContent(let digest):
            self.init(.changed, .changed, ["sha256": .text(digest.prefix(12) + "…")])
        case .badAddress(let problem): self.init(.badAddress, .badAddress, ["phrase": .address(problem)])
        case .malformedAddress(let detail): self.init(.badAddress, .badAddress, ["phrase": .text(detail)])
        }
    }

    private init(unreadable path: String, _ problem: ReasonArgument) {
        self.init(.unreadableFile, .unreadableFile, ["path": .text(path), "phrase": problem])
    }

    private init(blocked host: String, _ refusal: AddressRefusal) {
        let sentence: ReasonSentence =
            switch refusal {
            case .privateNetwork: .blockedAddress
            case .machine: .blockedAddressOfMachine
            case .afterPublic: .blockedAddressAfterPublic
            }
        self.init(.blockedAddress, sentence, ["host": .text(host)])
    }

    private init(proxy: String, _ problem: ProxyProblem) {
        var arguments: [String: ReasonArgument] = ["proxy": .text(proxy)]
        switch problem {
        case .unknown: self.init(.dns, .dnsOfProxy, arguments)
        case .unreachable: self.init(.connect, .connectOfProxy, arguments)
        case .refused(let host, nil):
            arguments["host"] = .text(host)
            self.init(.connect, .connectByProxy, arguments)
        case .refused(let host, let status?):
            (arguments["host"], arguments["status"]) = (.text(host), .number(status))
            self.init(.connect, .connectRefusedByProxy, arguments)
        case .wantsPassword:
            arguments["status"] = .number(407)
            self.init(.httpStatus, .httpStatusOfProxy, arguments)
        case .tls(let detail):
            arguments["detail"] = .text(detail)
            self.init(.tls, .tlsOfProxy, arguments)
        case .slow(let seconds):
            arguments["duration"] = .seconds(seconds)
            self.init(.timeout, .timeoutOfProxy, arguments)
        }
    }

    /// Rounds up, so that the value is shown as larger than a limit that it exceeds.
    private static func wholeMegabytes(_ bytes: Int64) -> ReasonArgument { .bytes((bytes / 1_000_000 + 1) * 1_000_000) }

    /// A round size that is sufficient, in the form that `--memory` takes: "850MB", "1500MB".
    private static func sufficientMemoryOption(for bytes: Int64) -> String {
        let step: Int64 = bytes < 1_000_000_000 ? 50_000_000 : 100_000_000
        return "\((bytes / step + 1) * step / 1_000_000)MB"
    }
}
