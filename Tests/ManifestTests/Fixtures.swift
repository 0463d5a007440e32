import Foundation
import Manifest

/// The manifests with known outcomes, beside their expectations.
enum Fixtures {
    /// The absolute path of the fixtures' folder.
    static let directory: String = {
        guard let resources = Bundle.module.resourceURL else { preconditionFailure("the test bundle has no resources") }
        return resources.appending(path: "Fixtures/manifests").path(percentEncoded: false)
    }()

    static func bytes(_ name: String) throws -> [UInt8] {
        if let generated = try GeneratedManifests.bytes(name) { return generated }
        return Array(try Data(contentsOf: URL(filePath: directory).appending(path: name)))
    }

    /// Reads a fixture as the program would read it from its file.
    static func read(_ name: String) throws -> Manifest {
        try ManifestReader(origin: .file(path: "\(directory)/\(name)", shown: name)).read(bytes(name))
    }
}
