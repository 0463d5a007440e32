import Foundation
import Manifest
import PhotoModel
import Testing

/// The large corpus of pictures, which is read where it is: beside the checkout, or in the folder that
/// GALLERYGEN_SHARED names.
@Suite struct CorpusTests {
    private static let images: URL? = {
        let checkout = URL(filePath: #filePath).appending(path: "../../..").standardized
        let shared =
            ProcessInfo.processInfo.environment["GALLERYGEN_SHARED"].map { URL(filePath: $0) }
            ?? checkout.appending(path: "../shared").standardized
        let images = shared.appending(path: "images")
        return FileManager.default.fileExists(atPath: images.appending(path: "expected.json").path) ? images : nil
    }()

    @Test(
        "The address of every picture leads to its file, whatever characters its name has",
        .enabled(if: images != nil, "no folder named shared beside the checkout, and GALLERYGEN_SHARED is not set"))
    func corpus() throws {
        let images = try #require(Self.images)
        let expected = try Data(contentsOf: images.appending(path: "expected.json"))
        let names = try #require(JSONSerialization.jsonObject(with: expected) as? [String: Any]).keys.sorted()
        let entries = names.map { "<key>\(escaped($0))</key><string>\(escaped("../images/" + $0))</string>" }
        let origin = ManifestOrigin.file(
            path: images.deletingLastPathComponent().path + "/manifests/corpus.plist", shown: "corpus.plist")
        let manifest = try Reading.manifest("<dict>\(entries.joined())</dict>", origin: origin)
        #expect(manifest.photos.map(\.name) == names)
        for photo in manifest.photos {
            guard case .file(let path) = photo.location else {
                Issue.record("\(photo.name) is no file")
                continue
            }
            #expect(FileManager.default.fileExists(atPath: path), "\(photo.name)")
        }
        #expect(Set(Slugs.assign(manifest.photos, remembered: [:])).count == names.count)
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
