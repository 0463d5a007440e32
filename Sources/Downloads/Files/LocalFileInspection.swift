package import PhotoModel

/// Tells without opening a local file whether a build could use it.
package enum LocalFileInspection {
    /// Why a build could not use the local file; nil if no reason can be found without opening it, or if the source is
    /// remote.
    ///
    /// - Parameter maxBytes: the size of the largest file that is accepted.
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
