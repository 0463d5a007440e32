import Foundation
import Manifest
import PhotoModel

/// Whole manifests. The text between two bytes 1 is repeated until the manifest has a quarter of a megabyte, and each
/// byte 2 in it becomes the number of the repetition. Only large manifests show work that grows faster than the input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzManifest(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    _ = refusalOfOtherFiles
    let input = repeated(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
    let origin = origins[(input.last.map(Int.init) ?? 0) % origins.count]
    let (seconds, result) = ProcessorTime.of { () -> Result<Manifest, ManifestError> in
        do throws(ManifestError) {
            let manifest = try ManifestReader(origin: origin).read(input)
            checkSlugs(of: manifest)
            return .success(manifest)
        } catch {
            return .failure(error)
        }
    }
    let allowed = 0.1 + 0.000_02 * Double(input.count)
    require(seconds <= allowed, "\(seconds) s of processor time for \(input.count) bytes")

    let limits = Limits(input)
    switch result {
    case .success(let manifest):
        for photo in manifest.photos { check(photo, limits) }
        for warning in manifest.warnings { check(warning, limits) }
    case .failure(let error):
        let diagnostics = error.diagnostics
        require(!diagnostics.isEmpty, "an error has no message")
        for diagnostic in diagnostics { check(diagnostic, limits) }
    }
    return 0
}

private let origins: [ManifestOrigin] = [
    .file(path: "/photos/list.plist", shown: "list.plist"), .standardInput(directory: "/photos"),
    .remote(url: "https://list.example/albums/list.plist?t=1", shown: "https://list.example/albums/list.plist"),
]

/// No XML document contains these bytes.
private let repetitionMark: UInt8 = 1
private let numberMark: UInt8 = 2

private func repeated(_ input: [UInt8]) -> [UInt8] {
    let parts = input.split(separator: repetitionMark, omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return input }
    var result: [UInt8] = []
    for (index, part) in parts.enumerated() {
        let isRepeated = index % 2 == 1 && index < parts.count - 1 && !part.isEmpty
        let end = result.count + (isRepeated ? 2 * largest / parts.count : 0)
        var number = 0
        repeat {
            for byte in part {
                if byte == numberMark { result += String(number).utf8 } else { result.append(byte) }
            }
            number += 1
        } while result.count < end
    }
    return result
}

/// The size of a manifest with repetitions, in bytes.
private let largest = 262_144

// MARK: Invariants

/// The largest valid position in an input.
private struct Limits {
    private let lines: Int
    private let columns: Int

    init(_ input: [UInt8]) {
        // In other encodings, a line break may be any bytes, but each character takes at least one byte.
        let isPlain = input.allSatisfy { $0 < 0x80 } && !input.containsText("encoding")
        lines = (isPlain ? input.count { $0 == 0x0A || $0 == 0x0D } : input.count) + 1
        columns = input.count + 2
    }

    func check(_ position: TextPosition) {
        require((1...lines).contains(position.line), "line \(position.line) of \(lines)")
        require((1...columns).contains(position.column), "column \(position.column) of \(columns)")
    }
}

private func check(_ diagnostic: ManifestDiagnostic, _ limits: Limits) {
    limits.check(diagnostic.position)
    require(!diagnostic.message.isEmpty, "a diagnostic has no message")
    // Line breaks are allowed: a command that converts the file is on a separate line.
    require(
        !diagnostic.message.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F },
        "a message has control characters: \(diagnostic.message.debugDescription)")
}

private func check(_ photo: ManifestPhoto, _ limits: Limits) {
    limits.check(photo.position)
    require(!photo.name.isEmpty, "a photo has no name")
    require(!photo.addressKey.isEmpty, "a photo has no key")
    let shown = photo.shownSource
    require(shown.unicodeScalars.count <= 200, "the shown address is too long")
    require(
        !shown.unicodeScalars.contains { $0.properties.generalCategory == .control }, "a control character is shown")
    if case .success(let source) = photo.source {
        require(source.shown.utf8.elementsEqual(shown.utf8), "two texts are shown for an address")
        if source.isRemote { checkRemote(shown) }
    }
    if let filter = photo.filter { limits.check(filter.position) }
    if let rating = photo.details.rating { require((0...5).contains(rating), "a rating is not from 0 to 5") }
}

/// For a usable address, neither a user nor a query or fragment is shown.
private func checkRemote(_ shown: String) {
    guard let start = shown.range(of: "://") else { preconditionFailure("a URL without scheme") }
    let rest = shown[start.upperBound...].utf8
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    require(!authority.contains(UInt8(ascii: "@")), "a user is shown")
    require(!rest.contains(UInt8(ascii: "?")) && !rest.contains(UInt8(ascii: "#")), "a query is shown")
}

/// Assigns slugs as Gallery does: first without remembered ones, and then with those of the first time.
private func checkSlugs(of manifest: Manifest) {
    let identities = manifest.identities()
    require(Set(identities).count == manifest.photos.count, "two photos have the same identity")
    let slugs = Slugs.assign(manifest.photos, remembered: [:])
    check(slugs, count: manifest.photos.count)
    let remembered = Dictionary(uniqueKeysWithValues: zip(identities, slugs))
    require(Slugs.assign(manifest.photos, remembered: remembered) == slugs, "a remembered slug has changed")
    let albums = Slugs.assignAlbums(manifest.albums, remembered: [:])
    check(Array(albums.values), count: Set(manifest.albums.map(AlbumIdentity.init)).count)
    let twice = Manifest.merged([manifest, manifest])
    require(twice.photos.count == manifest.photos.count, "a photo of two manifests is shown twice")
}

private func check(_ slugs: [String], count: Int) {
    require(slugs.count == count && Set(slugs).count == count, "a slug is missing or not unique")
    for slug in slugs {
        let bytes = slug.utf8
        require((1...80).contains(bytes.count), "a slug has no valid length")
        require(
            bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D },
            "a slug has invalid characters")
        require(bytes.first != 0x2D && bytes.last != 0x2D && !slug.contains("--"), "a slug has a misplaced hyphen")
        require(slug != "index" && slug != "con" && slug != "nul", "a slug is a reserved name")
    }
}

extension [UInt8] {
    fileprivate func containsText(_ text: String) -> Bool {
        String(decoding: self, as: UTF8.self).contains(text)
    }
}
