internal import Downloads
internal import Foundation
internal import Imaging
internal import Importing
internal import Manifest
internal import PhotoModel

/// Checks the local files of a list, and suggests a similar path for a missing file.
final class LocalFileCheck {
    private let maxBytes: Int64
    private let home: String?
    private let folder: String?
    private let names = NearbyNames()
    /// The number of missing files for which a similar name will still be searched. Nobody reads more suggestions than
    /// this.
    private var hintsLeft = 1_000

    /// - Parameters:
    ///   - maxBytes: the size of the largest file that a build accepts.
    ///   - home: the user's home folder, which a shell would substitute for ~.
    ///   - folder: the folder that relative paths are resolved against; nil if the list comes from a URL.
    init(maxBytes: Int64, home: String?, folder: String?) {
        self.maxBytes = maxBytes
        self.home = home
        self.folder = folder
    }

    /// - Returns: the photo's problem and a hint; nil for a photo without a visible problem.
    func problem(of photo: ManifestPhoto) -> (Failure, hint: String?)? {
        switch photo.source {
        case .failure(let failure):
            if case .unsupportedScheme(let scheme) = failure, scheme.utf8.count == 1 {
                return (failure, "Windows paths are not supported; write the path with slashes, relative to the list.")
            }
            return (failure, nil)
        case .success(let source):
            guard isUnusable(source), !photo.mirrors.contains(where: { !isUnusable($0) }) else { return nil }
            guard let failure = LocalFileInspection.failure(of: source, maxBytes: maxBytes) else {
                return formatProblem(of: source)
            }
            return (failure, hint(for: failure, source))
        }
    }

    /// Whether an address is that of a file from which no picture can be made. A remote address may have a picture.
    private func isUnusable(_ source: Source) -> Bool {
        LocalFileInspection.failure(of: source, maxBytes: maxBytes) != nil || formatProblem(of: source) != nil
    }

    /// Inspects files whose names have the extensions of unsupported picture formats.
    private func formatProblem(of source: Source) -> (Failure, hint: String?)? {
        guard case .file(let path) = source.location,
            Self.otherPictureNames.contains(where: { path.lowercased().hasSuffix($0) }),
            let file = FileHandle(forReadingAtPath: path)
        else { return nil }
        // A file that can't be read is reported by the build. Here, it has no first bytes to inspect.
        defer { try? file.close() }
        let start = (try? file.read(upToCount: OriginalInspection.bytes)) ?? Data()
        guard let failure = OriginalInspection.failure(ofStart: Array(start)),
            case .unsupportedFormat(let format) = failure
        else { return nil }
        let hint = PictureConversion.hint(for: format)
        return (failure, hint.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." })
    }

    private static let otherPictureNames = [".heic", ".heif", ".avif", ".tif", ".tiff", ".jxl", ".jp2", ".bmp", ".svg"]

    private func hint(for failure: Failure, _ source: Source) -> String? {
        // A hint must not reveal the hidden parts of an address.
        guard case .missingFile = failure, case .file(let path) = source.location,
            ShownAddress.file(path) == path
        else { return nil }
        guard hintsLeft > 0 else { return nil }
        hintsLeft -= 1
        let shown = source.shown
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
            return "It is a symbolic link to '\(target)', which does not exist."
        }
        if shown.hasPrefix("~/") {
            guard let meant = home.map({ $0 + shown.dropFirst() }), exists(meant) else {
                return "~ is not expanded; write the whole path."
            }
            return "~ is not expanded; did you mean '\(meant)'?"
        }
        if path.contains("\\"), exists(path.replacing("\\", with: "/")) {
            return "Did you mean '\(shown.replacing("\\", with: "/"))'?"
        }
        if let decoded = path.removingPercentEncoding, decoded != path, exists(decoded) {
            return "Did you mean '\(shown.removingPercentEncoding ?? decoded)'?"
        }
        if let near = names.nearest(to: path) { return "Did you mean '\(spelled(near, like: shown, path))'?" }
        return Self.looksLikeHost(shown) ? "If it is on a web server, put https:// in front of it." : nil
    }

    /// A path in the form of the list: relative to its folder, if it was written that way.
    /// - Parameter path: the absolute form of the path that the list shows.
    private func spelled(_ near: String, like shown: String, _ path: String) -> String {
        guard !shown.hasPrefix("/") else { return near }
        // The photo's own list can be in another folder than the first one.
        let ending = "/" + shown
        let own = path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : folder
        guard let own, near.hasPrefix(own + "/") else { return near }
        return String(near.dropFirst(own.count + 1))
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Whether a text looks like a host with a path, such as "example.org/a.jpg": the part before the first slash
    /// contains a dot and ends like a domain name.
    private static func looksLikeHost(_ text: String) -> Bool {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, !text.hasPrefix("/") else { return false }
        let labels = parts[0].split(separator: ":")[0].split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty } && (labels.last?.count ?? 0) >= 2
            && labels.last?.allSatisfy(\.isLetter) == true
    }
}
