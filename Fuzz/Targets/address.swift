import Foundation
import Manifest
import PhotoModel

/// Addresses, and the texts in which they are shown. If the first byte is even, the others are an address. If it is
/// odd, the others choose the parts of an address that contains secrets.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzAddress(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    let input = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    guard let first = input.first else { return -1 }
    if first % 2 == 1 {
        guard let built = AddressInput(input.dropFirst()) else { return -1 }
        check(built.text, hides: built.secrets, inManifest: true)
    } else {
        let text = String(decoding: input.dropFirst(), as: UTF8.self)
        guard !text.utf8.contains(0) else { return -1 }
        check(text, hides: secrets(of: text), inManifest: false)
    }
    return 0
}

/// The parts that a parser regards as secrets, if they can be told from the rest of the text: those that are long
/// enough and occur only once. A text before "@" without a colon before it has neither scheme nor password, and may be
/// part of a file name, as in `lake@2x.jpg`.
private func secrets(of text: String) -> [String] {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    return AddressReadings.secrets(in: text).filter { secret in
        secret.utf8.count >= 4 && secret.lowercased() != scheme
            && (hasColonBefore(secret, in: text) || text.range(of: secret + "@", options: .literal) == nil)
            && isThereOnce(secret, in: text)
    }
}

private func hasColonBefore(_ secret: String, in text: String) -> Bool {
    text.range(of: secret, options: .literal).map { text[..<$0.lowerBound].utf8.contains(UInt8(ascii: ":")) } ?? false
}

private func isThereOnce(_ secret: String, in text: String) -> Bool {
    guard let place = text.range(of: secret, options: .literal) else { return false }
    return text.range(of: secret, options: .literal, range: place.upperBound..<text.endIndex) == nil
}

/// - Parameter inManifest: whether the secrets must also be hidden if the text is read from a manifest, as the path of
///   a file or a relative URL.
private func check(_ text: String, hides secrets: [String], inManifest: Bool) {
    let shown = ShownAddress.url(text)
    check([shown], of: text, hide: secrets)
    require(shown.unicodeScalars.count <= 200, "the shown address is too long")
    require(
        !shown.unicodeScalars.contains { $0.properties.generalCategory == .control }, "a control character is shown")
    guard let list = manifest(of: text) else { return }
    for origin in origins {
        let manifest: Manifest
        do throws(ManifestError) {
            manifest = try ManifestReader(origin: origin).read(list)
        } catch {
            fatalError("\(text.debugDescription) makes a manifest unreadable: \(error)")
        }
        let shown = manifest.photos.flatMap(words) + manifest.warnings.map(\.description)
        check(shown, of: text, hide: inManifest ? secrets : [])
    }
}

/// All texts about a photo that are shown.
private func words(_ photo: ManifestPhoto) -> [String] {
    let ofSource =
        switch photo.source {
        case .success(let source): source.shown
        case .failure(let failure): "\(failure)"
        }
    return [photo.name, photo.shownSource, ofSource]
}

private func check(_ shown: [String], of text: String, hide secrets: [String]) {
    for secret in secrets {
        if let leak = shown.first(where: { $0.range(of: secret, options: .literal) != nil }) {
            fatalError("\(secret.debugDescription) of \(text.debugDescription) is shown: \(leak.debugDescription)")
        }
    }
}

private let origins: [ManifestOrigin] = [
    .file(path: "/photos/list.plist", shown: "list.plist"),
    .remote(url: "https://list.example/albums/list.plist", shown: "https://list.example/albums/list.plist"),
]

/// A manifest that contains the address alone, so that the photo's name is derived from it, and again in a dictionary.
/// nil for an address that no XML document can contain.
private func manifest(of text: String) -> [UInt8]? {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x26, 0x3C, 0x3E: escaped += "&#\(scalar.value);"
        case 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...: escaped.unicodeScalars.append(scalar)
        default: return nil
        }
    }
    let dict = "<dict><key>name</key><string>Lake</string><key>url</key><string>\(escaped)</string></dict>"
    return Array("<plist><array><string>\(escaped)</string>\(dict)</array></plist>".utf8)
}
