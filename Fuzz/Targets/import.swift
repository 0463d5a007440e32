import Foundation
import Importing
import Manifest
import PhotoModel

/// Whole sources of `init --from`: feeds, web pages, CSV, JSON and text. The photos are written to a manifest and
/// merged into it again.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzImport(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    _ = refusalOfOtherFiles
    let input = Array(UnsafeRawBufferPointer(start: bytes, count: count))
    let origin = origins[(input.last.map(Int.init) ?? 0) % origins.count]
    let (seconds, result) = ProcessorTime.of { () -> Result<SourceContent, ImportError> in
        do throws(ImportError) {
            return .success(try Importer(listIn: folder).content(of: input, from: origin))
        } catch {
            return .failure(error)
        }
    }
    let allowed = 0.1 + 0.000_02 * Double(input.count)
    require(seconds <= allowed, "\(seconds) s of processor time for \(input.count) bytes")
    switch result {
    case .success(.list(let imported)): check(imported)
    case .success(.collection): break
    case .failure(let error):
        let message = error.message(for: "source")
        require(!message.isEmpty, "an error has no message")
        require(!message.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F }, "a message has control characters")
    }
    return 0
}

private let folder = "/photos"
private let list = "/photos/photos.plist"
private let source = (shown: "source", identity: "source")

/// Several names, because some formats are recognised by the file name.
private let origins: [ManifestOrigin] =
    ["source", "source.csv", "source.txt", "source.json", "source.html"].map {
        .file(path: folder + "/" + $0, shown: $0)
    } + [.remote(url: "https://source.example/pictures/?page=1", shown: "https://source.example/pictures/")]

// MARK: Invariants

private func check(_ imported: ImportedList) {
    require(!imported.photos.isEmpty, "a list without photos was imported")
    let written = document { () throws(ImportError) in
        try ImportedDocument(imported, of: source, list: list)
    }
    let count = photos(of: written.bytes)
    require(count == imported.photos.count, "\(count) of \(imported.photos.count) photos are listed")
    let again = merged(imported, into: written.bytes)
    require(again.added == 0 && again.missing == 0 && again.returned == 0, "an unchanged source changed the list")
    require(again.bytes == written.bytes, "an unchanged source changed bytes of the list")
    // The first half of the source disappears and comes back. Entries with the same address are told apart by their
    // names and albums, so each entry that left can be marked, but no other.
    let rest = Array(imported.photos.dropFirst((imported.photos.count + 1) / 2))
    guard !rest.isEmpty else { return }
    let gone = imported.photos.count - rest.count
    let shorter = merged(ImportedList(photos: rest, shape: imported.shape), into: written.bytes)
    require(shorter.added == 0 && shorter.missing <= gone, "\(shorter.missing) of \(gone) entries are marked")
    let back = merged(imported, into: shorter.bytes)
    require(back.returned == shorter.missing, "\(back.returned) of \(shorter.missing) marks are removed")
    require(photos(of: back.bytes) == count, "a photo that came back is listed twice")
}

private func merged(_ imported: ImportedList, into existing: [UInt8]) -> ImportedDocument {
    document { () throws(ImportError) in
        try ImportedDocument(merging: imported, of: source, into: existing, list: list, today: "2026-11-25")
    }
}

/// An error is a finding, because a manifest can be written for every source that can be read.
private func document(_ make: () throws(ImportError) -> ImportedDocument) -> ImportedDocument {
    do throws(ImportError) {
        return try make()
    } catch {
        reportFinding("no list can be written: \(error.message(for: "source"))")
    }
}

private func photos(of bytes: [UInt8]) -> Int {
    do throws(ManifestError) {
        return try ManifestReader(origin: .file(path: list, shown: list)).read(bytes).photos.count
    } catch {
        reportFinding("the written list cannot be read: \(error)")
    }
}
