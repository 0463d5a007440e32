import Foundation
import PhotoModel
import Testing

/// The entry of `expected.json` for one fixture: the outcome before anything is fetched.
struct Expectation: Decodable, Sendable, CustomTestStringConvertible {
    enum Outcome: String, Decodable { case ok, error }

    let outcome: Outcome
    let firm: Bool
    let photos: Int?
    let names: [String]?
    let failed: [String: ReasonCode]?
    let albums: [[String]]?
    let slugsDistinct: Int?
    let line: Int?
    let lines: [Int]?
    let warnings: [String]?
    let never: [String]?
    let generated: String?
    let maxSeconds: Double?
    /// The fixture's file name, which is the key in the file.
    var name = ""

    var testDescription: String { name }

    private enum CodingKeys: String, CodingKey {
        case outcome, firm, photos, names, failed, albums, line, lines, warnings, never, generated
        case slugsDistinct = "slugs_distinct"
        case maxSeconds = "max_seconds"
    }

    /// All fixtures that can be read without the pictures.
    static let all: [Expectation] = {
        do {
            let file = URL(filePath: Fixtures.directory).appending(path: "expected.json")
            let byName = try JSONDecoder().decode([String: Expectation].self, from: Data(contentsOf: file))
            return byName.map { name, expectation in
                var expectation = expectation
                expectation.name = name
                return expectation
            }.filter { $0.name != "corpus.plist" }.sorted { $0.name < $1.name }
        } catch {
            preconditionFailure("expected.json: \(error)")
        }
    }()

    /// Fixtures that the reader accepts, and that are refused later: by the build for having no photo, or by the parser
    /// of filters.
    static let refusedLater = ["empty-array.plist", "empty-dict.plist", "only-empty-albums.plist", "bad-filter.plist"]

    static var accepted: [Expectation] { all.filter { $0.outcome == .ok || refusedLater.contains($0.name) } }
    static var refused: [Expectation] { all.filter { $0.outcome == .error && !refusedLater.contains($0.name) } }
}
