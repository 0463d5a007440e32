internal import Foundation

/// Whether a power cut has left pages of zeros in a picture that was never synchronised: some file systems keep its
/// size and lose its content. A compressed picture hardly ever has a page of them of its own; then it is made again
/// for nothing. A file that can't be read counts as lost.
func hasZeroedBlock(_ path: String) -> Bool {
    guard let data = FileManager.default.contents(atPath: path) else { return true }
    let page = 4096
    return stride(from: 0, to: data.count, by: page).contains { start in
        data[start..<min(start + page, data.count)].allSatisfy { $0 == 0 }
    }
}
