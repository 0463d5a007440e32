import Foundation
import Testing

/// A picture and its expected outcome, as listed in Fixtures/images/expected.json.
struct PictureFixture: Sendable, CustomTestStringConvertible {
    /// The expectations for one file; the README beside the list explains them.
    struct Expectation: Decodable, Sendable {
        let outcome: String
        let reason: String?
        let reasons: [String]?
        let firm: Bool
        let format: String
        let orientation: Int?
        let uprightWidth: Int?
        let uprightHeight: Int?
        let alpha: Bool?
        let never: [String]?

        /// The reason codes that are accepted for a refusal.
        var rightReasons: [String] { reasons ?? reason.map { [$0] } ?? [] }
    }

    /// The folder and name, as in the list.
    let name: String
    let path: String
    let expectation: Expectation

    var testDescription: String { name }

    /// The pictures that are committed.
    static let committed = listed(in: fixtures)

    /// The pictures that are not committed and read where they are, in the folder that GALLERYGEN_SHARED names, or in a
    /// folder `shared` beside the checkout.
    static let usedInPlace = shared.map { folder in
        listed(in: folder).filter { !FileManager.default.fileExists(atPath: "\(fixtures)/images/\($0.name)") }
    }

    static func named(_ name: String) throws -> PictureFixture {
        guard let fixture = committed.first(where: { $0.name == name }) else { throw CocoaError(.fileNoSuchFile) }
        return fixture
    }

    static let fixtures = Bundle.module.path(forResource: "Fixtures", ofType: nil) ?? "Fixtures"

    private static let shared: String? = {
        let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder =
            ProcessInfo.processInfo.environment["GALLERYGEN_SHARED"]
            ?? checkout.deletingLastPathComponent().appendingPathComponent("shared").path
        return FileManager.default.fileExists(atPath: "\(folder)/images/expected.json") ? folder : nil
    }()

    /// The pictures of the list that exist, by name.
    private static func listed(in folder: String) -> [PictureFixture] {
        do {
            let list = try Data(contentsOf: URL(fileURLWithPath: "\(fixtures)/images/expected.json"))
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode([String: Expectation].self, from: list)
                .map { PictureFixture(name: $0, path: "\(folder)/images/\($0)", expectation: $1) }
                .filter { FileManager.default.fileExists(atPath: $0.path) }
                .sorted { $0.name < $1.name }
        } catch {
            fatalError("the list of pictures is unreadable: \(error)")
        }
    }
}
