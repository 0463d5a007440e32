package import PhotoModel

/// Tells without opening a local file whether a build could take it.
package enum LocalFileInspection {
    /// Why a build could not take the file at this address; nil if nothing is to be seen of it from outside, or if the
    /// address is remote.
    /// - Parameter maxBytes: the largest file taken.
    package static func failure(of source: Source, maxBytes: Int64) -> Failure? {
        guard case .file(let path) = source.location else { return nil }
        do throws(Failure) {
            try LocalFile.check(path: path, source: source, maxBytes: maxBytes)
            return nil
        } catch {
            return error
        }
    }
}
