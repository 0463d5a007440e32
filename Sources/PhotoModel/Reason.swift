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

/// A failure as it is remembered and shown: its code, and one plain sentence for people.
package struct Reason: Codable, Hashable, Sendable {
    package let code: ReasonCode
    package let message: String

    package init(code: ReasonCode, message: String) {
        self.code = code
        self.message = message
    }
}

extension Reason {
    /// The words for each failure: the only place where they are written.
    package init(_ failure: Failure) {
        let (code, message): (ReasonCode, String) =
            switch failure {
            case .notFound(let status):
                (.notFound, "Not found: the server has nothing at this address (status \(status)).")
            case .forbidden(let status):
                (.forbidden, "The server does not let us have it (status \(status)).")
            case .httpStatus(let status):
                (.httpStatus, "The server answered with status \(status).")
            case .dns(let host):
                (.dns, "The name \(host) is unknown: no server could be looked up.")
            case .connect(let host):
                (.connect, "No connection to \(host): nobody answers there.")
            case .tls(let host, let detail):
                (.tls, "The secure connection to \(host) failed: \(detail).")
            case .proxy(let host, let problem): Self.words(host, problem)
            case .timeout(let seconds):
                (.timeout, "The server took longer than \(Self.duration(seconds)).")
            case .stalled(let seconds):
                (.stalled, "The server sent nothing for \(Self.duration(seconds)).")
            case .interrupted:
                (.interrupted, "The connection was lost before everything had arrived.")
            case .tooManyRedirects(let limit):
                (.tooManyRedirects, "The server redirected more than \(limit) times.")
            case .blockedAddress(let host, let refusal):
                (.blockedAddress, Self.words(for: refusal, host: host))
            case .unsupportedScheme(let scheme):
                (.unsupportedScheme, "Addresses that start with \(scheme): are not fetched.")
            case .tooLarge(let limit):
                (.tooLarge, "The file is larger than the limit of \(Self.size(limit)).")
            case .notAnImage(let found):
                (.notAnImage, "What arrived is \(found), not a picture.")
            case .unsupportedFormat(let format):
                (.unsupportedFormat, "Pictures in the format \(format) are not supported.")
            case .truncated:
                (.truncated, "The picture is cut off: its end is missing.")
            case .corrupt(let detail):
                (.corrupt, "The picture is damaged: \(detail).")
            case .tooManyPixels(let width, let height, let limit):
                (
                    .tooManyPixels,
                    "The picture claims \(width) × \(height) pixels, more than the limit of \(Self.pixels(limit))."
                )
            case .sideTooLong(let width, let height, let limit):
                (
                    .tooManyPixels,
                    "The picture claims \(width) × \(height) pixels; no side may have more than \(limit)."
                )
            case .tooMuchMemory(let needed, let limit):
                (
                    .tooLarge,
                    "The picture needs \(Self.megabytes(needed)) of memory, more than the \(Self.size(limit)) that are allowed; --memory \(Self.roomFor(needed)) would allow it."
                )
            case .noMemory(let needed):
                (
                    .tooLarge,
                    "The picture needs \(Self.megabytes(needed)) of memory, and the system gives no more."
                )
            case .missingFile(let path):
                (.missingFile, "File not found: \(path).")
            case .unreadableFile(let path, let why):
                (.unreadableFile, "The file \(path) can't be read: \(why).")
            case .badAddress(let problem):
                (.badAddress, "The address is not usable: \(problem).")
            }
        self.init(code: code, message: message)
    }

    private static func words(for refusal: AddressRefusal, host: String) -> String {
        switch refusal {
        case .privateNetwork:
            "The address of \(host) is private or reserved and may not be asked; --allow-private allows it."
        case .machine:
            "The address of \(host) means this machine or its link, which is asked only where a list on this machine"
                + " names it by its IP address or as localhost."
        case .afterPublic:
            "The address of \(host) is private or reserved, and no redirect of a public server is followed there."
        }
    }

    /// None is a special case of the sentences above, so that each can be told by its pattern.
    private static func words(_ proxy: String, _ problem: ProxyProblem) -> (ReasonCode, String) {
        switch problem {
        case .unknown:
            (.dns, "The proxy \(proxy) is unknown: its name could not be looked up.")
        case .unreachable:
            (.connect, "The proxy \(proxy) can't be reached: nobody answers there.")
        case .refused(let host, nil):
            (.connect, "The proxy \(proxy) does not connect us to \(host).")
        case .refused(let host, let status?):
            (.connect, "The proxy \(proxy) refuses to connect to \(host) (status \(status)).")
        case .wantsPassword:
            (.httpStatus, "The proxy \(proxy) wants a user and a password (status 407).")
        case .tls(let detail):
            (.tls, "No secure connection to the proxy \(proxy): \(detail).")
        case .slow(let seconds):
            (.timeout, "The proxy \(proxy) brought no connection about within \(duration(seconds)).")
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
