internal import Addresses
internal import Foundation
internal import Manifest

/// Converts the addresses of a source to those of the list. Relative addresses in the source refer to the location
/// where the source was found; those in the list refer to the list's folder.
struct SourceBase {
    /// The location where the source was found.
    private enum Location {
        case folder(String)
        /// The URL of the source; nil if it is not usable.
        case url(ParsedURL?)
    }

    private let location: Location
    /// The absolute path of the list's folder.
    private let list: String

    init(_ origin: ManifestOrigin, list: String) {
        self.list = list
        location =
            switch origin {
            case .file(let path, _): .folder(FilePath.directory(of: path))
            case .standardInput(let directory): .folder(directory)
            case .remote(let url, _): .url(Self.url(url))
            }
    }

    init(folder: String, list: String) {
        location = .folder(folder)
        self.list = list
    }

    private init(_ location: Location, list: String) {
        self.location = location
        self.list = list
    }

    /// - Returns: nil if libcurl does not accept the text as a URL. The reason is not needed, because the importer only
    ///   counts such addresses.
    private static func url(_ text: String, from base: ParsedURL? = nil) -> ParsedURL? {
        try? base.map { try $0.resolving(text) } ?? ParsedURL(text)
    }

    /// The base that `<base href>` or `xml:base` sets instead of this one.
    func rebased(to reference: String) -> SourceBase {
        let reference = WhiteSpace.trimmed(reference)
        guard !reference.isEmpty, reference.utf8.count <= ImportLimits.addressLength else { return self }
        let rebased = changed(to: reference)
        return rebased.isShort ? rebased : self
    }

    /// Whether the base is not longer than an address may be. Bases within one another make it longer and longer.
    private var isShort: Bool {
        switch location {
        case .folder(let folder): folder.utf8.count <= ImportLimits.addressLength
        case .url(let url): (url?.text.utf8.count ?? 0) <= ImportLimits.addressLength
        }
    }

    private func changed(to reference: String) -> SourceBase {
        switch (URLScheme.of(reference), location) {
        case ("http", _), ("https", _): return SourceBase(.url(Self.url(reference)), list: list)
        case (nil, .url(let base?)): return SourceBase(.url(Self.url(reference, from: base)), list: list)
        case (nil, .folder(let folder)):
            guard let path = PercentEncoding.decoded(reference) else { return self }
            let full = FilePath.normalized(path, in: folder)
            return SourceBase(.folder(path.hasSuffix("/") ? full : FilePath.directory(of: full)), list: list)
        default: return self
        }
    }

    /// - Parameter reference: an address or a path, as people write it.
    /// - Returns: nil if no list can contain the address.
    func address(ofWritten reference: String) -> String? {
        address(reference) { path in path }
    }

    /// - Parameter reference: a URI reference (RFC 3986) as in markup, where paths are percent-encoded.
    /// - Returns: nil if no list can contain the address.
    func address(of reference: String) -> String? {
        address(reference) { path in PercentEncoding.decoded(path.prefix { $0 != "?" && $0 != "#" }) }
    }

    /// The http(s) URL of a reference; nil if it has another scheme, or contains a user name.
    func link(_ reference: String) -> String? {
        guard let address = address(of: reference), address.hasPrefix("http://") || address.hasPrefix("https://"),
            Self.url(address)?.userInfo == nil
        else { return nil }
        return address
    }

    private func address(_ reference: String, path: (String) -> String?) -> String? {
        let reference = WhiteSpace.trimmed(reference)
        guard !reference.isEmpty, reference.utf8.count <= ImportLimits.addressLength,
            PlainText.allowed(reference) == reference,
            !reference.unicodeScalars.contains(where: Self.isControl),
            reference.first != "#"
        else { return nil }
        switch (URLScheme.of(reference), location) {
        case ("http", _), ("https", _):
            guard let url = Self.url(reference), !url.host.isEmpty else { return nil }
            return reference.hasPrefix("http") ? reference : url.text
        case ("file", .folder): return reference
        case (_?, _): return nil
        case (nil, .url(let base)): return base.flatMap { Self.url(reference, from: $0) }?.text
        case (nil, .folder) where reference.hasPrefix("//"):
            return Self.url("https:" + reference).map { _ in "https:" + reference }
        case (nil, .folder(let folder)):
            guard let path = path(reference), !path.isEmpty, PlainText.allowed(path) == path else { return nil }
            return self.path(path, in: folder)
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar.value < 0x20 || scalar.value == 0x7F : scalar.properties.generalCategory == .control
    }

    /// The address, for the list, of a file that exists.
    func address(ofFile path: String) -> String { self.path(path, in: "/") }

    private func path(_ path: String, in folder: String) -> String {
        let full = FilePath.normalized(path, in: folder)
        guard !FilePath.isAbsolute(path) || folder == "/" else { return full }
        let relative = FilePath.relative(full, to: list)
        // The reader of the list removes white space at the ends of an address, but decodes that of a URL.
        guard WhiteSpace.trimmed("/" + relative) == "/" + relative else {
            return "file://" + PercentEncoding.encoded(full, reserved: Set("%?#".utf8))
        }
        // A path that starts like a scheme would be read as a URL, and white space at its start would be lost.
        let isPlain =
            !relative.prefix { $0 != "/" }.contains { ":：﹕︓".contains($0) } && !relative.isEmpty
            && WhiteSpace.trimmed(relative) == relative
        return isPlain ? relative : "./" + relative
    }
}
