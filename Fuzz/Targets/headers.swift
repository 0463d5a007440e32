import CLibCurl
import Downloads
import Foundation
import PhotoModel
import Synchronization

/// The answers of a server, with a byte 30 between them, to builds that ask for one photo. The lowest bits of the
/// first byte say whether connections stay open, whether private networks are allowed, and how many builds there are
/// (two bits); the second highest, whether there is a netrc file, with which users in addresses are refused in
/// another way.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzHeaders(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    let input = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    guard let flags = input.first else { return -1 }
    let answers = input.dropFirst().split(separator: 30, omittingEmptySubsequences: false).map(Array.init)
    guard answers.count <= 16 else { return -1 }
    let store = Store()
    // A literal of this machine has to be written here, whatever else is allowed.
    let policy = AddressPolicy(isWrittenHere: true, allowsPrivate: flags & 2 != 0)
    let client = ClientProfile(userAgent: "fuzz", netrc: flags & 64 == 0 ? nil : "/dev/null")
    server.answer(with: answers, patiently: flags & 1 != 0)

    var known: CachedOriginal?
    var seen = 0
    var ends: [(outcome: FetchOutcome, answer: Int?)] = []
    for _ in 0...Int(flags >> 2 & 3) {
        let outcome = store.fetch(known, policy, client)
        let requests = server.requests[seen...]
        seen += requests.count
        for request in requests { check(request, policy) }
        check(outcome, after: known, in: store)
        known = outcome.known ?? known
        ends.append((outcome, requests.last?.answer))
    }
    for (outcome, answer) in ends {
        guard let status = Status(outcome), let answer else { continue }
        server.answer(with: [answers[answer]], patiently: false)
        let plain = PlainReading.status(of: address)
        promise(status.isOf(plain), "\(outcome) of answer \(answer), which libcurl alone reads as \(plain)")
    }
    return 0
}

@_cdecl("LLVMFuzzerInitialize")
func startServer(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    LoopbackNamespace.enter()
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    return 0
}

private let host = "127.0.0.1"
private let address = "http://\(host)/lake.jpg"
private let server = AnsweringServer()

/// What a build ends with, as far as it tells the status of the last response.
private enum Status {
    case whole
    case unchanged
    case refused(Int)

    init?(_ outcome: FetchOutcome) {
        switch outcome {
        case .stored: self = .whole
        case .unchanged: self = .unchanged
        case .failed(.notFound(let status)), .failed(.forbidden(let status)), .failed(.httpStatus(let status)):
            self = .refused(status)
        case .failed, .refused, .postponed, .storeFailed, .cancelled: return nil
        }
    }

    func isOf(_ status: Int) -> Bool {
        switch self {
        case .whole: [200, 203, 206].contains(status)
        case .unchanged: status == 304
        case .refused(let refused): refused == status
        }
    }
}

/// Originals in memory, of one input.
private final class Store {
    private let root = "/dev/shm/fuzzed-originals-\(getpid())"
    private let originals: OriginalStore

    init() {
        do throws(DownloadsError) { originals = try OriginalStore(root: root) } catch { fatalError("\(error)") }
    }

    /// As a build of its own.
    func fetch(_ known: CachedOriginal?, _ policy: AddressPolicy, _ client: ClientProfile) -> FetchOutcome {
        let limits = TransferLimits(
            connectTimeout: .seconds(5), timeout: .seconds(10), stallTimeout: .seconds(5), maxBytes: 65_536,
            maxRedirects: 4, total: 2, perHost: 2)
        let answers = Mutex<[FetchOutcome]>([])
        let isAnswered = DispatchSemaphore(value: 0)
        do throws(DownloadsError) {
            let downloader = try Downloader(
                store: originals, limits: limits, options: FetchOptions(policy: policy, allowsCompression: false),
                client: client, startedAt: Int64(Date().timeIntervalSince1970 * 1e9), jitter: { _ in .zero })
            let source = Source(location: .remote(address), shown: address)
            _ = downloader.fetch(source, known: known) { outcome in
                answers.withLock { $0.append(outcome) }
                isAnswered.signal()
            }
            promise(isAnswered.wait(timeout: .now() + 15) == .success, "a fetch is answered")
            downloader.shutdown()
        } catch {
            fatalError("no downloader: \(error)")
        }
        let all = answers.withLock { $0 }
        promise(all.count == 1, "\(all.count) answers: \(all)")
        return all[0]
    }

    func content(of original: StoredOriginal) -> [UInt8]? {
        FileManager.default.contents(atPath: originals.path(of: original.digest)).map { [UInt8]($0) }
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: root) } catch { fatalError("\(error)") }
    }
}

// MARK: What is promised

private func check(_ outcome: FetchOutcome, after known: CachedOriginal?, in store: Store) {
    switch outcome {
    case .storeFailed(let error): fatalError("an answer is taken for a fault of this machine: \(error)")
    case .cancelled: fatalError("nobody cancelled")
    case .unchanged(let still):
        promise(still.original == known?.original, "a 304 is about what was known")
    case .stored(let new, _):
        guard let content = store.content(of: new.original) else { fatalError("what was stored is not there") }
        promise(Digest(of: content) == new.original.digest, "what was stored has its digest")
        promise(content.count == new.original.bytes && !content.isEmpty, "what was stored has its length")
    case .failed, .refused, .postponed: break
    }
}

/// No server can make the program send what nobody gave it, nor ask a host that the policy forbids.
private func check(_ request: AnsweringServer.Request, _ policy: AddressPolicy) {
    promise(request.lines[0].hasPrefix("GET /"), "another method: \(request.lines)")
    let fields = request.lines.dropFirst().map { $0.prefix { $0 != ":" }.lowercased() }
    for field in fields {
        promise(expectedFields.contains(field), "a field that nobody asked for: \(request.lines)")
    }
    promise(Set(fields).count == fields.count, "a field twice: \(request.lines)")
    if policy == .namedHost {
        let named = request.lines.dropFirst().first { $0.lowercased().hasPrefix("host:") }
        promise(request.address == host, "asked at \(request.address): \(request.lines)")
        promise(["Host: \(host)", "Host: \(host):80"].contains(named), "another host is asked: \(request.lines)")
    }
}

private let expectedFields: Set = [
    "host", "user-agent", "accept", "accept-encoding", "if-none-match", "if-modified-since", "if-range", "range",
]
