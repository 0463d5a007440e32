import Foundation
import Manifest
import PhotoModel

/// Whole manifests. What stands between two bytes 1 is repeated until the manifest has a quarter of a megabyte, with
/// the number of the repetition where it has a byte 2: work that grows faster than the input shows only in large
/// manifests.
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
    promise(seconds <= allowed, "\(seconds) s of processor time for \(input.count) bytes")

    let limits = Limits(input)
    switch result {
    case .success(let manifest):
        for photo in manifest.photos { check(photo, limits) }
        for warning in manifest.warnings { check(warning, limits) }
    case .failure(let error):
        let diagnostics = error.diagnostics
        promise(!diagnostics.isEmpty, "an error has words")
        for diagnostic in diagnostics { check(diagnostic, limits) }
    }
    return 0
}

private let origins: [ManifestOrigin] = [
    .file(path: "/photos/list.plist", shown: "list.plist"), .standardInput(directory: "/photos"),
    .remote(url: "https://list.example/albums/list.plist?t=1", shown: "https://list.example/albums/list.plist"),
]

/// XML has neither of these bytes.
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

/// Bytes of a manifest with repetitions.
private let largest = 262_144

// MARK: What is promised

/// Where a position may be.
private struct Limits {
    private let lines: Int
    private let columns: Int

    init(_ input: [UInt8]) {
        // In other encodings a line break may be any bytes, but no character takes less than one.
        let isPlain = input.allSatisfy { $0 < 0x80 } && !input.containsText("encoding")
        lines = (isPlain ? input.count { $0 == 0x0A || $0 == 0x0D } : input.count) + 1
        columns = input.count + 2
    }

    func check(_ position: TextPosition) {
        promise((1...lines).contains(position.line), "line \(position.line) of \(lines)")
        promise((1...columns).contains(position.column), "column \(position.column) of \(columns)")
    }
}

private func check(_ diagnostic: ManifestDiagnostic, _ limits: Limits) {
    limits.check(diagnostic.position)
    promise(!diagnostic.message.isEmpty, "a diagnostic has words")
    // Commands that convert a file stand on lines of their own.
    promise(
        !diagnostic.message.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F },
        "a message moves no cursor: \(diagnostic.message.debugDescription)")
}

private func check(_ photo: ManifestPhoto, _ limits: Limits) {
    limits.check(photo.position)
    promise(!photo.name.isEmpty, "a photo has a name")
    promise(!photo.addressKey.isEmpty, "a photo has a key")
    let shown = photo.shownSource
    promise(shown.unicodeScalars.count <= 200, "what is shown is short")
    promise(
        !shown.unicodeScalars.contains { $0.properties.generalCategory == .control }, "what is shown is one line")
    if case .success(let source) = photo.source {
        promise(source.shown.utf8.elementsEqual(shown.utf8), "one text is shown for an address")
        if source.isRemote { checkRemote(shown) }
    }
    if let filter = photo.filter { limits.check(filter.position) }
    if let rating = photo.details.rating { promise((0...5).contains(rating), "a rating is from 0 to 5") }
}

/// Of a usable address nothing before the host is shown, and nothing behind the path.
private func checkRemote(_ shown: String) {
    guard let start = shown.range(of: "://") else { preconditionFailure("a URL without scheme") }
    let rest = shown[start.upperBound...].utf8
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    promise(!authority.contains(UInt8(ascii: "@")), "a user is shown")
    promise(!rest.contains(UInt8(ascii: "?")) && !rest.contains(UInt8(ascii: "#")), "a query is shown")
}

/// As Gallery gives them: once without a memory, and again from what was remembered.
private func checkSlugs(of manifest: Manifest) {
    let identities = manifest.identities()
    promise(Set(identities).count == manifest.photos.count, "identities differ")
    let slugs = Slugs.assign(manifest.photos, remembered: [:])
    check(slugs, count: manifest.photos.count)
    let remembered = Dictionary(uniqueKeysWithValues: zip(identities, slugs))
    promise(Slugs.assign(manifest.photos, remembered: remembered) == slugs, "a slug that is remembered stays")
    let albums = Slugs.assignAlbums(manifest.albums, remembered: [:])
    check(Array(albums.values), count: Set(manifest.albums.map(AlbumIdentity.init)).count)
    let twice = Manifest.merged([manifest, manifest])
    promise(twice.photos.count == manifest.photos.count, "what a second manifest repeats is shown once")
}

private func check(_ slugs: [String], count: Int) {
    promise(slugs.count == count && Set(slugs).count == count, "everything has a slug of its own")
    for slug in slugs {
        let bytes = slug.utf8
        promise((1...80).contains(bytes.count), "a slug fits a file name")
        promise(
            bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D },
            "a slug is plain")
        promise(bytes.first != 0x2D && bytes.last != 0x2D && !slug.contains("--"), "hyphens stand between words")
        promise(slug != "index" && slug != "con" && slug != "nul", "no slug has a meaning of its own")
    }
}

extension [UInt8] {
    fileprivate func containsText(_ text: String) -> Bool {
        String(decoding: self, as: UTF8.self).contains(text)
    }
}
