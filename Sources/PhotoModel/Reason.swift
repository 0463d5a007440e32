/// The code of a failure as it stands in status.json, in the ledger and in messages.
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
}

/// Why a photo failed, as it is remembered: a code, and the sentence and the values that tell people. Words are made of
/// it where it is shown: in English by `message`, in the language of a page by Site.
package struct Reason: Codable, Hashable, Sendable {
    package let code: ReasonCode
    package let sentence: ReasonSentence
    /// The values of the sentence by their names in the braces, as they are shown: "404", "20 MB".
    package let arguments: [String: String]

    package init(_ code: ReasonCode, _ sentence: ReasonSentence, _ arguments: [String: String] = [:]) {
        self.code = code
        self.sentence = sentence
        self.arguments = arguments
    }

    /// The sentence in English.
    package var message: String { sentence.english.filled(with: arguments) }

    /// Reads a sentence back that was stored without its values: in ledgers before version 10 and in status.json, which
    /// is read where the ledger is lost. A sentence that no pattern of its code fits is kept verbatim.
    package init(code: ReasonCode, message: String) {
        for sentence in ReasonSentence.allCases where sentence.code == code {
            guard let arguments = sentence.english.values(in: message) else { continue }
            self.init(code, sentence, arguments)
            return
        }
        self.init(code, .verbatim, ["text": message])
    }
}

extension Reason {
    /// Chooses the sentence for a failure and writes its values.
    package init(_ failure: Failure) {
        switch failure {
        case .notFound(let status): self.init(.notFound, .notFound, ["status": "\(status)"])
        case .forbidden(let status): self.init(.forbidden, .forbidden, ["status": "\(status)"])
        case .httpStatus(let status): self.init(.httpStatus, .httpStatus, ["status": "\(status)"])
        case .dns(let host): self.init(.dns, .dns, ["host": host])
        case .connect(let host): self.init(.connect, .connect, ["host": host])
        case .tls(let host, let detail): self.init(.tls, .tls, ["host": host, "detail": detail])
        case .proxy(let host, let problem): self.init(proxy: host, problem)
        case .timeout(let seconds): self.init(.timeout, .timeout, ["duration": Self.duration(seconds)])
        case .stalled(let seconds): self.init(.stalled, .stalled, ["duration": Self.duration(seconds)])
        case .interrupted: self.init(.interrupted, .interrupted)
        case .tooManyRedirects(let limit): self.init(.tooManyRedirects, .tooManyRedirects, ["limit": "\(limit)"])
        case .blockedAddress(let host, let refusal): self.init(blocked: host, refusal)
        case .unsupportedScheme(let scheme): self.init(.unsupportedScheme, .unsupportedScheme, ["scheme": scheme])
        case .tooLarge(let limit): self.init(.tooLarge, .tooLarge, ["size": Self.size(limit)])
        case .notAnImage(let found): self.init(.notAnImage, .notAnImage, ["phrase": found])
        case .unsupportedFormat(let format): self.init(.unsupportedFormat, .unsupportedFormat, ["format": format])
        case .truncated: self.init(.truncated, .truncated)
        case .corrupt(let detail): self.init(.corrupt, .corrupt, ["detail": detail])
        case .tooManyPixels(let width, let height, let limit):
            self.init(
                .tooManyPixels, .tooManyPixels,
                ["width": "\(width)", "height": "\(height)", "limit": Self.pixels(limit)])
        case .sideTooLong(let width, let height, let limit):
            self.init(
                .tooManyPixels, .tooManyPixelsASide,
                ["width": "\(width)", "height": "\(height)", "limit": "\(limit)"])
        case .tooMuchMemory(let needed, let limit):
            self.init(
                .tooLarge, .tooLargeToDecode,
                ["needed": Self.megabytes(needed), "size": Self.size(limit), "option": Self.roomFor(needed)])
        case .noMemory(let needed): self.init(.tooLarge, .tooLargeForSystem, ["needed": Self.megabytes(needed)])
        case .missingFile(let path): self.init(.missingFile, .missingFile, ["path": path])
        case .unreadableFile(let path, let why):
            self.init(.unreadableFile, .unreadableFile, ["path": path, "phrase": why])
        case .badAddress(let problem): self.init(.badAddress, .badAddress, ["phrase": problem])
        }
    }

    private init(blocked host: String, _ refusal: AddressRefusal) {
        let sentence: ReasonSentence =
            switch refusal {
            case .privateNetwork: .blockedAddress
            case .machine: .blockedAddressOfMachine
            case .afterPublic: .blockedAddressAfterPublic
            }
        self.init(.blockedAddress, sentence, ["host": host])
    }

    private init(proxy: String, _ problem: ProxyProblem) {
        switch problem {
        case .unknown: self.init(.dns, .dnsOfProxy, ["proxy": proxy])
        case .unreachable: self.init(.connect, .connectOfProxy, ["proxy": proxy])
        case .refused(let host, nil): self.init(.connect, .connectByProxy, ["proxy": proxy, "host": host])
        case .refused(let host, let status?):
            self.init(
                .connect, .connectRefusedByProxy, ["proxy": proxy, "host": host, "status": "\(status)"])
        case .wantsPassword: self.init(.httpStatus, .httpStatusOfProxy, ["proxy": proxy, "status": "407"])
        case .tls(let detail): self.init(.tls, .tlsOfProxy, ["proxy": proxy, "detail": detail])
        case .slow(let seconds):
            self.init(.timeout, .timeoutOfProxy, ["proxy": proxy, "duration": Self.duration(seconds)])
        }
    }

    /// "90 s" or "0.5 s".
    private static func duration(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }

    /// "200 megapixels", or the pixels where they are few.
    private static func pixels(_ count: Int) -> String {
        count >= 1_000_000 ? "\(decimal(Int64(count), in: 1_000_000)) megapixels" : "\(count) pixels"
    }

    /// "20" or "1.5": at most one decimal, rounded down.
    private static func decimal(_ number: Int64, in unit: Int64) -> String {
        let tenths = number / (unit / 10)
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// "831 MB", rounded up: what is needed is more than a limit that it goes over.
    private static func megabytes(_ bytes: Int64) -> String { "\(bytes / 1_000_000 + 1) MB" }

    /// A round size that is enough, as `--memory` takes it: "850MB", "1500MB".
    private static func roomFor(_ bytes: Int64) -> String {
        let step: Int64 = bytes < 1_000_000_000 ? 50_000_000 : 100_000_000
        return "\((bytes / step + 1) * step / 1_000_000)MB"
    }

    /// "20 MB", in decimal units, or the bytes where they are few.
    private static func size(_ bytes: Int64) -> String {
        switch bytes {
        case 1_000_000...: "\(decimal(bytes, in: 1_000_000)) MB"
        case 1_000...: "\(decimal(bytes, in: 1_000)) kB"
        default: "\(bytes) bytes"
        }
    }
}
