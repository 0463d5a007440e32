import Downloads
import Foundation
import Gallery
import Imaging
import PhotoModel
import Site
import TestSupport

/// A small gallery in a temporary folder: photos, a manifest, a state folder and an output folder.
final class TestGallery {
    let folder = TemporaryFolder()
    var entries: [(name: String, address: String)] = []
    var filter = "sepia(0.8)"
    var widths = [64, 128]
    var now: Int64 = 1_700_000_000
    /// The latest possible time, so that every file of a test is old enough to be trusted.
    var startedAt = Int64.max
    var keepOld = Duration.zero
    var maxBytes: Int64 = 50_000_000
    var output: String { folder.path + "/public" }
    var state: StateFolder { StateFolder(path: folder.path + "/.gallerygen") }

    /// The photographs that come with the project.
    static let samples =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/Samples/"

    /// Two photos whose files exist, and one whose file is missing.
    static func ofThree() throws -> TestGallery {
        let gallery = TestGallery()
        try gallery.add("Dandelions", sample: "dandelions.jpg")
        try gallery.add("Plum Blossom", sample: "plum-blossom.png")
        gallery.entries.append(("Lighthouse", "lighthose.jpg"))
        return gallery
    }

    /// Adds a photo with a copy of one of the samples.
    func add(_ name: String, sample: String, as file: String? = nil) throws {
        let file = file ?? sample
        try folder.write(try Data(contentsOf: URL(fileURLWithPath: Self.samples + sample)), to: file)
        entries.append((name, file))
    }

    func options() throws -> BuildOptions {
        let items = entries.map { "<key>\($0.name)</key><string>\($0.address)</string>" }.joined(separator: "\n")
        let manifest = try folder.write("<plist><dict>\n\(items)\n</dict></plist>", to: "photos.plist")
        var options = BuildOptions(
            manifests: [.file(path: manifest, shown: "photos.plist")], output: output, state: state, title: "Test",
            baseURL: nil, language: "en", perPage: 60, templates: TemplateSet(),
            generator: "gallerygen 0.0.0",
            derivatives: DerivativeOptions(
                widths: widths, quality: 80, filter: try FilterChain(parsing: filter), publishesUnfiltered: true,
                maxPixels: 100_000_000),
            jobs: 2, memory: 256_000_000,
            // Long timeouts, so that photos load even if the machine stalls for seconds.
            limits: TransferLimits(
                connectTimeout: .seconds(300), timeout: .seconds(300), stallTimeout: .seconds(300), maxBytes: maxBytes,
                maxRedirects: 3, total: 4, perHost: 2),
            client: ClientProfile(userAgent: "gallerygen/0.0.0"), allowsEmpty: false, now: Timestamp(seconds: now),
            startedAt: startedAt,
            lockHolder: "this test",
            allowsPrivate: false, maxAge: .auto)
        options.keepOld = keepOld
        return options
    }

    @discardableResult
    func build(emit: @escaping @Sendable (BuildEvent) -> Void = { _ in }) throws -> BuildReport {
        try Build(try options(), emit: emit).run()
    }

    /// The path in the output folder and the bytes of every file there.
    func published() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: output) {
            var isFolder: ObjCBool = false
            let path = output + "/" + name
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            if !isFolder.boolValue { files[name] = try Data(contentsOf: URL(fileURLWithPath: path)) }
        }
        return files
    }

    /// The path in the output folder, the inode and the time of last change of every file there.
    func stamps() throws -> [String: [Int]] {
        var stamps: [String: [Int]] = [:]
        for name in try published().keys {
            var status = stat()
            guard lstat(output + "/" + name, &status) == 0 else { continue }
            stamps[name] = [Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        }
        return stamps
    }
}
