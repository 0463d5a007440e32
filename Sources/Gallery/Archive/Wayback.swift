internal import Addresses
internal import Downloads
internal import Foundation
package import PhotoModel

/// The Wayback Machine of the Internet Archive: which copies of addresses it has, and where.
package struct Wayback: Hashable, Sendable {
    /// The address of the API that tells which copies exist, without its query.
    private let availability: String
    /// The beginning of the addresses of copies.
    private let copies: String
    /// The policy for requests to the archive.
    let policy: AddressPolicy
    /// The host of another server, which may learn its own addresses even if it is private.
    private let ownHost: String?

    /// The archive itself.
    package static let archive = Wayback(
        availability: "https://archive.org/wayback/available", copies: "https://web.archive.org/web/",
        policy: .publicOnly, ownHost: nil)

    /// Another server with the same API, for tests.
    /// - Parameter base: its address without a slash at the end.
    package static func server(_ base: String) -> Wayback {
        // Without a valid host, no photo is on the server's own one.
        Wayback(
            availability: base + "/wayback/available", copies: base + "/web/", policy: .namedHost,
            ownHost: (try? ParsedURL(base, keepsDots: true))?.host)
    }

    /// A copy of an address.
    struct Copy: Hashable {
        /// The time at which the copy was made: "20190503120000".
        let timestamp: String
        let source: Source

        /// The day at which the copy was made: "2019-05-03".
        var date: String {
            let digits = Array(timestamp)
            return String(digits[0..<4]) + "-" + String(digits[4..<6]) + "-" + String(digits[6..<8])
        }
    }

    /// The address to ask about: without its fragment; nil if it must not be told to others, because it has a user, a
    /// password or a query, which can be secrets, or because its host is private.
    package func publicAddress(of source: Source) -> String? {
        // An address that can't be parsed might contain a secret, so it is not told either.
        guard case .remote(let url) = source.location, var parsed = try? ParsedURL(url, keepsDots: true),
            parsed.userInfo == nil, parsed.query == nil, parsed.host == ownHost || PublicHost.isPublic(parsed.host)
        else { return nil }
        parsed.fragment = nil
        return parsed.text
    }

    /// The address of the query for the latest copy of an address.
    func availabilityQuery(for address: String) -> Source {
        let escaped = address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return Source(location: .remote("\(availability)?url=\(escaped)"), shown: availability)
    }

    /// The size in bytes of the largest answer to a query that is read. The usual ones have some hundred bytes.
    static let maxAnswerBytes: Int64 = 64_000

    /// Reads the time of the latest copy in the answer to a query.
    /// - Returns: nil if the archive has no copy of a successful answer.
    static func timestamp(in answer: [UInt8]) -> String? {
        struct Answer: Decodable {
            struct Snapshots: Decodable { let closest: Snapshot? }
            struct Snapshot: Decodable {
                let available: Bool?
                let timestamp: String
                let status: String?
            }
            let snapshots: Snapshots

            enum CodingKeys: String, CodingKey { case snapshots = "archived_snapshots" }
        }
        // An answer of another form counts as none, because the archive may change or fail.
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(answer)),
            let snapshot = answer.snapshots.closest, snapshot.available != false,
            snapshot.status ?? "200" == "200", snapshot.timestamp.utf8.count == 14,
            snapshot.timestamp.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return snapshot.timestamp
    }

    /// The copy of an address that was made at this time.
    func copy(of address: String, at timestamp: String) -> Copy {
        // With "id_" the archive delivers the bytes as they were, without its own frame.
        let location = Source.Location.remote("\(copies)\(timestamp)id_/\(address)")
        return Copy(timestamp: timestamp, source: Source(location: location, shown: copies))
    }
}
