import Foundation
import Manifest
import PhotoModel

/// Addresses, and what is shown of them. After an even byte the rest is an address as it stands; after an odd one it
/// chooses the parts of one that has secrets in it.
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

/// The parts that any reading takes for secrets, as far as they can be told from the rest of the text: long enough,
/// and there once. Without a colon before it there is neither scheme nor password, and the text before an @ is as
/// likely the name of a file: `lake@2x.jpg`.
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

/// - Parameter inManifest: whether whoever reads it as the path of a file, or as relative to the list, must hide the
///   same.
private func check(_ text: String, hides secrets: [String], inManifest: Bool) {
    let shown = ShownAddress.url(text)
    check([shown], of: text, hide: secrets)
    promise(shown.unicodeScalars.count <= 200, "what is shown is short")
    promise(
        !shown.unicodeScalars.contains { $0.properties.generalCategory == .control }, "what is shown is one line")
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

/// All that people see of a photo.
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

/// A list that has the address once alone, so that the photo's name is made of it, and once in a dict; nil for an
/// address that no XML can have.
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
