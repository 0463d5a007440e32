internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport

/// A downloader and its store, in a folder that is removed with the test.
final class Rig: Sendable {
    let folder: String
    let store: OriginalStore
    let downloader: Downloader

    /// - Parameters:
    ///   - shared: the store of an earlier build, nil for a new one.
    ///   - startedAt: one hour from now by default, so that files made by a test count as old.
    init(
        _ limits: TransferLimits = .roomy, options: FetchOptions = Rig.options,
        startedAt: Int64 = Rig.now + 3_600_000_000_000, over shared: OriginalStore? = nil,
        jitter: @escaping Backoff.Jitter = { _ in .zero }, client: ClientProfile = .tests
    ) throws {
        folder = NSTemporaryDirectory() + "downloads-tests-" + UUID().uuidString
        store = try shared ?? OriginalStore(root: folder + "/originals")
        downloader = try Downloader(
            store: store, limits: limits, options: options, client: client, startedAt: startedAt,
            jitter: jitter)
    }

    /// The options for a list that is a file on this machine.
    static let options = FetchOptions(policy: .namedHost)

    /// Nanoseconds since 1970.
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000_000) }

    /// Fetches, and removes the times from the outcome, which few tests are about.
    func fetch(_ url: String, known: CachedOriginal? = nil, wait: RetryAfter? = nil) async -> FetchOutcome {
        await timedFetch(url, known: known, wait: wait).untimed
    }

    func timedFetch(_ url: String, known: CachedOriginal? = nil, wait: RetryAfter? = nil) async -> FetchOutcome {
        await fetch(Source(location: .remote(url), shown: "shown"), known: known, wait: wait)
    }

    func fetch(file path: String, known: CachedOriginal? = nil) async -> FetchOutcome {
        await fetch(Source(location: .file(path), shown: "photos/shown.jpg"), known: known)
    }

    func fetch(_ url: String, refused: RefusedContent) async -> FetchOutcome {
        await fetch(Source(location: .remote(url), shown: "shown"), known: nil, refused: refused).untimed
    }

    private func fetch(
        _ source: Source, known: CachedOriginal?, refused: RefusedContent? = nil, wait: RetryAfter? = nil
    ) async -> FetchOutcome {
        await withCheckedContinuation { continuation in
            _ = downloader.fetch(source, known: known, refused: refused, wait: wait) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Starts a fetch without waiting for it.
    func start(_ url: String, known: CachedOriginal? = nil) -> Started {
        let answers = Observed<[FetchOutcome]>([])
        let handle = downloader.fetch(Source(location: .remote(url), shown: "shown"), known: known) { outcome in
            answers.update { $0.append(outcome) }
        }
        return Started(handle: handle, answers: answers)
    }

    /// A fetch in progress.
    struct Started: Sendable {
        let handle: FetchHandle
        let answers: Observed<[FetchOutcome]>

        var outcome: FetchOutcome? { get async { await answers.wait { !$0.isEmpty }.first?.untimed } }
    }

    /// Writes a file for a test to fetch.
    func write(_ text: String, to name: String) throws -> String {
        let path = folder + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    func content(of original: StoredOriginal) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: store.path(of: original.digest))), as: UTF8.self)
    }

    /// The number of bytes on the disk of transfers in progress.
    var arrivedBytes: Int {
        get throws {
            try temporaryFiles.reduce(0) { sum, name in
                let attributes = try FileManager.default.attributesOfItem(atPath: store.root + "/tmp/" + name)
                return sum + (attributes[.size] as? Int ?? 0)
            }
        }
    }

    var temporaryFiles: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: store.root + "/tmp") }
    }

    deinit {
        downloader.shutdown()
        // A folder that can't be removed stays in the system's temporary folder and does no harm.
        try? FileManager.default.removeItem(atPath: folder)
    }
}

extension TransferLimits {
    /// Limits that stop no regular transfer on loopback, even while all tests share one processor. The times only bound
    /// how long a test hangs.
    static let roomy = TransferLimits(
        connectTimeout: .seconds(300), timeout: .seconds(300), stallTimeout: .seconds(300), maxBytes: 50_000_000,
        maxRedirects: 5, total: 16, perHost: 6)

    /// The same limits, with the changes that a test is about.
    static func roomy(_ change: (inout TransferLimits) -> Void) -> TransferLimits {
        var limits = roomy
        change(&limits)
        return limits
    }
}

extension ClientProfile {
    static let tests = ClientProfile(userAgent: "tests/1")
}

extension CachedOriginal {
    var untimed: CachedOriginal {
        var untimed = self
        (untimed.metadata.validated, untimed.metadata.freshUntil) = (nil, nil)
        return untimed
    }
}

extension RefusedContent {
    var untimed: RefusedContent {
        var untimed = self
        (untimed.metadata.validated, untimed.metadata.freshUntil) = (nil, nil)
        return untimed
    }
}

extension FetchOutcome {
    var untimed: FetchOutcome {
        switch self {
        case .unchanged(let known): .unchanged(known.untimed)
        case .stored(let known): .stored(known.untimed)
        case .refused(let refused): .refused(refused.untimed)
        default: self
        }
    }
}
