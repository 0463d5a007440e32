internal import Addresses
internal import Foundation
internal import Manifest

/// Turns the addresses of a source into those of the list: what is relative is meant from where the source was found,
/// and in the list from the list's own folder.
struct SourceBase {
    private enum Place {
        case folder(String)
        /// nil for one that is not usable.
        case url(ParsedURL?)
    }

    private let place: Place
    /// The absolute folder of the list.
    private let list: String

    init(_ origin: ManifestOrigin, list: String) {
        self.list = list
        place =
            switch origin {
            case .file(let path, _): .folder(FilePath.directory(of: path))
            case .standardInput(let directory): .folder(directory)
            case .remote(let url, _): .url(Self.url(url))
            }
    }

    init(folder: String, list: String) {
        place = .folder(folder)
        self.list = list
    }

    private init(_ place: Place, list: String) {
        self.place = place
        self.list = list
    }

    /// - Returns: nil for what libcurl takes for no URL. Why is of no use, as the importer only counts such addresses.
    private static func url(_ text: String, from base: ParsedURL? = nil) -> ParsedURL? {
        try? base.map { try $0.resolving(text) } ?? ParsedURL(text)
    }

    /// The base that `<base href>` or `xml:base` gives instead.
    func rebased(to reference: String) -> SourceBase {
        let reference = WhiteSpace.trimmed(reference)
        guard !reference.isEmpty, reference.utf8.count <= ImportLimits.addressLength else { return self }
        let rebased = changed(to: reference)
        return rebased.isShort ? rebased : self
    }

    /// Whether the base is no longer than an address may be: bases within one another make it longer and longer.
    private var isShort: Bool {
        switch place {
        case .folder(let folder): folder.utf8.count <= ImportLimits.addressLength
        case .url(let url): (url?.text.utf8.count ?? 0) <= ImportLimits.addressLength
        }
    }

    private func changed(to reference: String) -> SourceBase {
        switch (URLScheme.of(reference), place) {
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
    /// - Returns: nil for what no list can name.
    func address(ofWritten reference: String) -> String? {
        address(reference) { path in path }
    }

    /// - Parameter reference: a URI reference (RFC 3986), as markup has it: a path is percent-encoded.
    /// - Returns: nil for what no list can name.
    func address(of reference: String) -> String? {
        address(reference) { path in PercentEncoding.decoded(path.prefix { $0 != "?" && $0 != "#" }) }
    }

    /// The http(s) URL that a reference is; nil for everything else.
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
        switch (URLScheme.of(reference), place) {
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

    /// The path of a file that is there, as the list has it.
    func address(ofFile path: String) -> String { self.path(path, in: "/") }

    private func path(_ path: String, in folder: String) -> String {
        let full = FilePath.normalized(path, in: folder)
        guard !FilePath.isAbsolute(path) || folder == "/" else { return full }
        let relative = FilePath.relative(full, to: list)
        // What begins like a scheme is one, and white space at the ends does not count.
        let isPlain =
            !relative.prefix { $0 != "/" }.contains { ":：﹕︓".contains($0) } && !relative.isEmpty
            && WhiteSpace.trimmed(relative) == relative
        return isPlain ? relative : "./" + relative
    }
}
