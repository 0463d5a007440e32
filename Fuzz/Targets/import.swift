import Foundation
import Importing
import Manifest
import PhotoModel

/// Whole sources of `init --from`: feeds, web pages, CSV, JSON, text. What is read becomes a list, and is merged into
/// that list again.
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
    promise(seconds <= allowed, "\(seconds) s of processor time for \(input.count) bytes")
    switch result {
    case .success(.list(let imported)): check(imported)
    case .success(.collection): break
    case .failure(let error):
        let message = error.message(for: "source")
        promise(!message.isEmpty, "an error has words")
        promise(!message.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F }, "a message moves no cursor")
    }
    return 0
}

private let folder = "/photos"
private let list = "/photos/photos.plist"
private let source = (shown: "source", identity: "source")

/// Some formats are told by the name of the file.
private let origins: [ManifestOrigin] =
    ["source", "source.csv", "source.txt", "source.json", "source.html"].map {
        .file(path: folder + "/" + $0, shown: $0)
    } + [.remote(url: "https://source.example/pictures/?page=1", shown: "https://source.example/pictures/")]

// MARK: What is promised

private func check(_ imported: ImportedList) {
    promise(!imported.photos.isEmpty, "a list of no photos is an error")
    let written = document { () throws(ImportError) in
        try ImportedDocument(imported, of: source, list: list)
    }
    let count = photos(of: written.bytes)
    promise(count == imported.photos.count, "\(count) photos are listed of \(imported.photos.count)")
    let again = merged(imported, into: written.bytes)
    promise(again.added == 0 && again.left == 0 && again.returned == 0, "nothing is new where nothing changed")
    promise(again.bytes == written.bytes, "a list to which nothing is added keeps its bytes")
    // A source that lost its first half, and got it back. Two ways to write one path are one entry to a merge.
    let rest = Array(imported.photos.dropFirst((imported.photos.count + 1) / 2))
    guard !rest.isEmpty else { return }
    let addresses = Set(imported.photos.map { Array($0.address.utf8) })
    let gone = addresses.subtracting(rest.map { Array($0.address.utf8) }).count
    let shorter = merged(ImportedList(photos: rest, shape: imported.shape), into: written.bytes)
    promise(shorter.added == 0 && shorter.left <= gone, "\(shorter.left) entries are marked of \(gone)")
    let back = merged(imported, into: shorter.bytes)
    promise(back.returned == shorter.left, "\(back.returned) marks are taken away of \(shorter.left)")
    promise(photos(of: back.bytes) == count, "what came back is listed once")
}

private func merged(_ imported: ImportedList, into existing: [UInt8]) -> ImportedDocument {
    document { () throws(ImportError) in
        try ImportedDocument(merging: imported, of: source, into: existing, list: list, today: "2026-11-25")
    }
}

/// An error is a finding here, since a list that was made of a source can always be read.
private func document(_ make: () throws(ImportError) -> ImportedDocument) -> ImportedDocument {
    do throws(ImportError) {
        return try make()
    } catch {
        brokenPromise("a list is made: \(error.message(for: "source"))")
    }
}

private func photos(of bytes: [UInt8]) -> Int {
    do throws(ManifestError) {
        return try ManifestReader(origin: .file(path: list, shown: list)).read(bytes).photos.count
    } catch {
        brokenPromise("a list can be read: \(error)")
    }
}
