import CLibCurl
import Downloads
import Foundation
import PhotoModel
import Synchronization

/// The answers of a server, separated by bytes 30, to builds that download one photo. The first byte contains flags.
/// From its lowest bit: whether connections stay open, whether private networks are allowed, and the number of builds
/// less one (two bits). The second highest bit: whether there is a netrc file, with which user names in addresses are
/// refused in another way.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzHeaders(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    let input = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    guard let flags = input.first else { return -1 }
    let answers = input.dropFirst().split(separator: 30, omittingEmptySubsequences: false).map(Array.init)
    guard answers.count <= 16 else { return -1 }
    let store = Store()
    // The address is a literal of this machine, which is allowed only if it is written in a list of this machine.
    let policy = AddressPolicy(isLocallyListed: true, allowsPrivate: flags & 2 != 0)
    let client = ClientProfile(userAgent: "fuzz", netrc: flags & 64 == 0 ? nil : "/dev/null")
    server.answer(with: answers, keepAlive: flags & 1 != 0)

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
        server.answer(with: [answers[answer]], keepAlive: false)
        let plain = PlainReading.status(of: address)
        require(status.isOf(plain), "\(outcome) of answer \(answer), which libcurl alone reads as \(plain)")
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

/// The status of the last response, as far as the outcome of a fetch shows it.
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

/// A store of originals in memory. Each input has its own.
private final class Store {
    private let root = "/dev/shm/fuzzed-originals-\(getpid())"
    private let originals: OriginalStore

    init() {
        do throws(DownloadsError) { originals = try OriginalStore(root: root) } catch { fatalError("\(error)") }
    }

    /// Fetches the photo with a new downloader, as a build would.
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
            require(isAnswered.wait(timeout: .now() + 15) == .success, "a fetch has not ended after 15 s")
            downloader.shutdown()
        } catch {
            fatalError("no downloader: \(error)")
        }
        let all = answers.withLock { $0 }
        require(all.count == 1, "\(all.count) outcomes of a fetch: \(all)")
        return all[0]
    }

    func content(of original: StoredOriginal) -> [UInt8]? {
        FileManager.default.contents(atPath: originals.path(of: original.digest)).map { [UInt8]($0) }
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: root) } catch { fatalError("\(error)") }
    }
}

// MARK: Invariants

private func check(_ outcome: FetchOutcome, after known: CachedOriginal?, in store: Store) {
    switch outcome {
    case .storeFailed(let error): fatalError("an answer was taken for an error of this machine: \(error)")
    case .cancelled: fatalError("cancelled, although nobody cancelled it")
    case .unchanged(let still):
        require(still.original == known?.original, "a 304 changed the original")
    case .stored(let new, _):
        guard let content = store.content(of: new.original) else { fatalError("a stored original is missing") }
        require(Digest(of: content) == new.original.digest, "a stored original has another digest")
        require(content.count == new.original.bytes && !content.isEmpty, "a stored original has another size")
    case .failed, .refused, .postponed: break
    }
}

/// No server can make the program send other fields, or send a request to a host that the policy forbids.
private func check(_ request: AnsweringServer.Request, _ policy: AddressPolicy) {
    require(request.lines[0].hasPrefix("GET /"), "unexpected method: \(request.lines)")
    let fields = request.lines.dropFirst().map { $0.prefix { $0 != ":" }.lowercased() }
    for field in fields {
        require(expectedFields.contains(field), "unexpected field: \(request.lines)")
    }
    require(Set(fields).count == fields.count, "repeated field: \(request.lines)")
    if policy == .namedHost {
        let named = request.lines.dropFirst().first { $0.lowercased().hasPrefix("host:") }
        require(request.address == host, "a request to \(request.address): \(request.lines)")
        require(["Host: \(host)", "Host: \(host):80"].contains(named), "a request for another host: \(request.lines)")
    }
}

private let expectedFields: Set = [
    "host", "user-agent", "accept", "accept-encoding", "if-none-match", "if-modified-since", "if-range", "range",
]
