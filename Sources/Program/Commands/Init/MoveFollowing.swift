internal import Foundation
internal import Gallery
internal import Importing
internal import Manifest

/// `gallerygen init --from photos.plist --follow-moves`: writes the list anew, with the addresses to which its photos
/// have moved permanently.
struct MoveFollowing {
    /// The list, as the user named it.
    let list: String

    func run() throws {
        var manifests = ManifestNames()
        manifests.names = [list]
        let context = try CommandContext(GivenArguments(manifests, []), sendsRequests: false)
        guard let input = context.settings.build.manifests.first, case .file(let path, let shown) = input else {
            throw CommandFailure(.usage, "--follow-moves changes a list on this machine, and \(list) is none")
        }
        do {
            let moves = try MovedPhotos(context.settings.build, warn: context.console.warn).moves
            let complete = moves.filter { !$0.isIncomplete }
            let replacement = try AddressReplacement(
                in: input.localBytes() ?? [], list: path,
                replacing: Dictionary(complete.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first }))
            if replacement.count > 0 { try UserFileReplacement.replace(path, shown: shown, with: replacement.bytes) }
            for move in complete {
                context.console.info("\(move.name): \(ShownAddress.url(move.old)) → \(ShownAddress.url(move.new))")
            }
            for move in moves where move.isIncomplete {
                context.console.warn(
                    "\(move.name): the new address, \(ShownAddress.url(move.new)), has a query, which is not "
                        + "remembered; write it into the list yourself")
            }
            let count = replacement.count == 1 ? "1 address" : "\(replacement.count) addresses"
            context.console.info(
                replacement.count == 0 ? "\(shown) stays as it is." : "Updated \(shown): \(count) changed.")
        } catch let error as GalleryError {
            throw CommandFailure(error)
        } catch let error as ImportError {
            throw CommandFailure(.source(shown: shown, error))
        }
    }
}
