internal import Addresses
internal import PhotoModel

/// Turns the addresses of one manifest into sources.
struct AddressResolver {
    /// An address of the manifest after it was resolved.
    struct Address {
        let source: Result<Source, Failure>
        let shown: String
        /// The key, as in `ManifestPhoto.addressKey`.
        let key: String
    }

    /// The base of relative addresses.
    private enum Base {
        case directory(String)
        /// The URL of the manifest; nil if it is not usable.
        case url(ParsedURL?)
    }

    private let base: Base

    init(origin: ManifestOrigin) {
        base =
            switch origin {
            case .file(let path, _): .directory(FilePath.directory(of: path))
            case .standardInput(let directory): .directory(directory)
            case .remote(let url, _): .url(try? Self.parsed(url).get())
            }
    }

    /// The absolute path of the folder that relative addresses refer to; nil if the base is a URL.
    var folder: String? {
        if case .directory(let folder) = base { folder } else { nil }
    }

    /// - Parameter text: the address. White space at its ends is ignored, as are invisible characters before or in its
    ///   scheme.
    func resolve(_ text: String) -> Address {
        let text = WhiteSpace.trimmed(text)
        guard !text.isEmpty else { return unusable(.empty) }
        if PlainURL.isPlain(text) {
            let source = Source(location: .remote(text), shown: text)
            return Address(source: .success(source), shown: text, key: source.key)
        }
        // An address that was copied can contain a byte order mark or a line break.
        if let url = AddressSpelling.withVisibleScheme(text) { return resolve(url) }
        switch (URLScheme.of(text), base) {
        case ("http", _), ("https", _): return remote(Self.parsed(text), shown: ShownAddress.url(text), written: text)
        case ("file", .directory): return fileURL(text)
        case (let scheme?, _):
            let shown = ShownAddress.url(text)
            // The apparent scheme may be the name of a user in that case.
            let failure =
                shown == ShownAddress.elision
                ? Failure.badAddress(.noScheme) : .unsupportedScheme(scheme)
            return Address(source: .failure(failure), shown: shown, key: AddressKey.unusable(text))
        case (nil, .directory(let directory)):
            // A URL without its scheme can contain secrets like any URL.
            let shown = text.utf8.starts(with: "//".utf8) ? ShownAddress.url(text) : ShownAddress.path(text)
            let path = FilePath.normalized(text, in: directory)
            let key = FilePath.isAbsolute(text) ? nil : AddressKey.relative(path, to: directory)
            return file(path, shown: shown, key: key)
        case (nil, .url(let base)): return relative(text, to: base)
        }
    }

    /// - Parameters:
    ///   - reference: an address without a scheme.
    ///   - base: the address of the list, which comes from the network.
    private func relative(_ reference: String, to base: ParsedURL?) -> Address {
        guard let base else { return unusable(.noHost) }
        let target = Result { () throws(URLProblem) in try base.resolving(reference) }
        var shown = ShownAddress.redacted(scheme: base.scheme)
        if reference.utf8.starts(with: "//".utf8) {
            shown = ShownAddress.url(base.scheme + ":" + reference)
            // In a reference that may contain a user, ".." could remove half of a password, so it is not shown.
        } else if !AddressSpelling.mayContainUserInfo(reference), case .success(var visible) = target {
            // The user in the address of the list is known for certain.
            visible.userInfo = nil
            shown = ShownAddress.url(visible.text)
        }
        return remote(target, shown: shown, written: reference)
    }

    private static func parsed(_ text: String) -> Result<ParsedURL, URLProblem> {
        Result { () throws(URLProblem) in try ParsedURL(text, keepsDots: true) }
    }

    /// An address of which only the problem is known.
    func unusable(_ problem: AddressProblem) -> Address {
        Address(source: .failure(.badAddress(problem)), shown: "", key: AddressKey.unusable(""))
    }

    private func remote(_ parsed: Result<ParsedURL, URLProblem>, shown: String, written: String) -> Address {
        do throws(AddressProblem) {
            let url = try HTTPAddress.normalized(parsed.mapError(AddressProblem.init).get())
            // Most addresses are shown as they are. Sharing the string keeps one copy of each in memory.
            let shown = shown.utf8.elementsEqual(url.utf8) ? url : shown
            let source = Source(location: .remote(url), shown: shown)
            return Address(source: .success(source), shown: shown, key: source.key)
        } catch {
            return Address(source: .failure(.badAddress(error)), shown: shown, key: AddressKey.unusable(written))
        }
    }

    /// Resolves a file URL (RFC 8089), which must be absolute, percent-encoded, and on this machine.
    private func fileURL(_ text: String) -> Address {
        let shown = ShownAddress.url(text)
        do throws(AddressProblem) {
            guard let path = PercentEncoding.decoded(try Self.filePath(text)) else { throw .badPercentEncoding }
            guard !path.utf8.contains(0) else { throw .controlCharacter }
            return file(FilePath.normalized(path, in: "/"), shown: shown)
        } catch {
            return Address(source: .failure(.badAddress(error)), shown: shown, key: AddressKey.unusable(text))
        }
    }

    private static func filePath(_ text: String) throws(AddressProblem) -> String {
        do throws(URLProblem) {
            return try ParsedURL(text, keepsDots: true).path
        } catch {
            guard error.kind != .controlCharacter else { throw .controlCharacter }
            let afterScheme = text.utf8.drop { $0 != UInt8(ascii: ":") }
            throw afterScheme.starts(with: "://".utf8) && afterScheme.count > 3 ? .foreignFileHost : .relativeFileURL
        }
    }

    private func file(_ path: String, shown: String, key: String? = nil) -> Address {
        let source = Source(location: .file(path), shown: shown)
        return Address(source: .success(source), shown: shown, key: key ?? source.key)
    }
}
