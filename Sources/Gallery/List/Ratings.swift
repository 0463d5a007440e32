internal import Foundation
package import Site

/// Ratings as a visitor exports them from the page: the vote for each photo, by the path of its page.
package struct Ratings: Sendable {
    /// A mistake in a file of ratings. The message says what was expected.
    package struct Problem: Error, Hashable {
        package let message: String
    }

    /// The votes by the path of the photo's page, such as "photo/lighthouse.html".
    package let votes: [String: Vote]

    /// - Parameter json: a file such as `{"schema":1,"ratings":[{"page":"photo/lighthouse.html","thumb":"up"}]}`.
    package init(json: [UInt8]) throws(Problem) {
        let value: Any
        do {
            value = try JSONSerialization.jsonObject(with: Data(json))
        } catch {
            throw Problem(message: "this is not JSON")
        }
        let file = value as? [String: Any]
        guard let file, file["schema"] as? Int == 1, let list = file["ratings"] as? [Any] else {
            throw Problem(message: "expected ratings of schema 1, as exported from the page")
        }
        var votes: [String: Vote] = [:]
        for (index, element) in list.enumerated() {
            let rating = element as? [String: Any]
            guard let page = rating?["page"] as? String, page.hasPrefix("photo/"), page.hasSuffix(".html") else {
                throw Problem(message: "rating \(index + 1): 'page' must be the path of a photo's page, photo/….html")
            }
            guard let vote = (rating?["thumb"] as? String).flatMap(Vote.init(rawValue:)) else {
                throw Problem(message: "rating \(index + 1), of \(page): 'thumb' must be \"up\" or \"down\"")
            }
            guard votes[page] == nil || votes[page] == vote else {
                throw Problem(message: "rating \(index + 1): \(page) has both thumbs")
            }
            votes[page] = vote
        }
        self.votes = votes
    }

    package static let none = Ratings(votes: [:])

    private init(votes: [String: Vote]) { self.votes = votes }

    // Most galleries have no ratings, and need no path for each photo.
    func vote(ofSlug slug: String) -> Vote? { votes.isEmpty ? nil : votes["photo/\(slug).html"] }

    /// A sentence about ratings of photos that are not in the list; nil if there are no such ratings.
    func unknownPhotosWarning(slugs: some Sequence<String>) -> String? {
        guard !votes.isEmpty else { return nil }
        let known = Set(slugs.map { "photo/\($0).html" })
        let unknown = votes.keys.filter { !known.contains($0) }.sorted()
        guard let first = unknown.first else { return nil }
        return unknown.count == 1
            ? "1 rating is for a photo that is not in the list: \(first)"
            : "\(unknown.count) ratings are for photos that are not in the list, such as \(first)"
    }
}
