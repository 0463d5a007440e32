internal import PhotoModel
internal import Synchronization

/// The files of ours in an output folder, by path. Shared with whoever asks for the key of a page while others are
/// staged, so that the list of a large site is held once, if nothing was shown live before.
final class OwnedFiles: Sendable {
    private let files: Mutex<[String: OwnedFile]>

    init(_ files: [String: OwnedFile]) { self.files = Mutex(files) }

    subscript(path: String) -> OwnedFile? { files.withLock { $0[path] } }

    /// The list as it is now.
    var all: [String: OwnedFile] { files.withLock { $0 } }

    /// Looks it up once, whether it is the same or not: whoever shares the list does not see the change, for which it
    /// is then copied.
    /// - Returns: what was known of the file; nil if it was not ours.
    @discardableResult
    func set(_ path: String, to file: OwnedFile) -> OwnedFile? { files.withLock { $0.updateValue(file, forKey: path) } }

    /// A file that is ours no longer.
    func remove(_ path: String) { files.withLock { _ = $0.removeValue(forKey: path) } }

    /// A path as it is held already: a large gallery has many.
    /// - Returns: nil for one that is not ours.
    func held(_ path: String) -> String? {
        files.withLock { files in files.index(forKey: path).map { files[$0].key } }
    }

    func paths(where isWanted: (String) -> Bool) -> [String] { files.withLock { $0.keys.filter(isWanted) } }
}
