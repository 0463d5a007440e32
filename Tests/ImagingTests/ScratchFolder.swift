import Foundation

/// A folder of its own for one test, removed afterwards.
final class ScratchFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/imaging-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            fatalError("the scratch folder \(path) can't be removed: \(error)")
        }
    }

    /// The names of all files in it, hidden ones too, sorted.
    func contents() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    func bytes(of name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")) }

    func write(_ bytes: Data, named name: String) throws -> String {
        try bytes.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }
}
