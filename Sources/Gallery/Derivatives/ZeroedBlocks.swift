internal import Foundation

/// Whether a power cut has left a page of zeros in a picture that was never synchronised: some file systems keep the
/// size and lose the content. A compressed picture rarely contains a page of zeros; if it does, it is rendered again in
/// vain. A file that can't be read counts as lost.
func hasZeroedBlock(_ path: String) -> Bool {
    guard let data = FileManager.default.contents(atPath: path) else { return true }
    let page = 4096
    return stride(from: 0, to: data.count, by: page).contains { start in
        data[start..<min(start + page, data.count)].allSatisfy { $0 == 0 }
    }
}
