import Foundation
import PhotoModel
import Site
import TestSupport
import Testing

/// An output folder in a temporary folder, and pictures that wait to be published.
struct OutputFolder {
    let scratch = TemporaryFolder()

    var path: String { scratch.path + "/public" }

    /// A picture in the state folder. It is written once, since the published picture may be a link to the same file.
    func picture() throws -> String {
        let path = scratch.path + "/state/picture.jpg"
        if FileManager.default.fileExists(atPath: path) { return path }
        return try scratch.write("picture", to: "state/picture.jpg")
    }

    func write(_ text: String, to name: String) throws { try scratch.write(text, to: "public/" + name) }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }

    /// Everything in the output folder: files with their content, folders with "/", symbolic links with their target.
    func contents() throws -> [String: String] {
        var contents: [String: String] = [:]
        let files = FileManager.default
        guard files.fileExists(atPath: path) else { return [:] }
        for name in try files.subpathsOfDirectory(atPath: path) {
            let full = path + "/" + name
            let type = try files.attributesOfItem(atPath: full)[.type] as? FileAttributeType
            contents[name] =
                switch type {
                case .typeDirectory?: "/"
                case .typeSymbolicLink?: "-> " + (try files.destinationOfSymbolicLink(atPath: full))
                default: try String(contentsOfFile: full, encoding: .utf8)
                }
        }
        return contents
    }

    /// The inode and the time of the last change, which differ after a file was rewritten.
    func identities() throws -> [String: String] {
        var identities: [String: String] = [:]
        for name in try contents().keys {
            var status = stat()
            guard lstat(path + "/" + name, &status) == 0 else { throw CocoaError(.fileReadUnknown) }
            #if os(Linux)
                let changed = status.st_ctim
            #else
                let changed = status.st_ctimespec
            #endif
            identities[name] = "\(status.st_ino) \(changed.tv_sec).\(changed.tv_nsec)"
        }
        return identities
    }

    /// Publishes a picture and pages, as a build does.
    @discardableResult
    func publish(
        _ pages: [String: String], pictures: [String] = [], owned: [String: OwnedFile] = [:],
        keeping: Set<String> = []
    ) throws -> SitePublication {
        var publisher = try Publisher(output: path, owned: owned)
        for picture in pictures { try publisher.publish(picture: "images/\(picture)", from: try self.picture()) }
        for (page, text) in pages.sorted(by: { $0.key > $1.key }) {
            try publisher.publish(SiteFile(path: page, bytes: Array(text.utf8)))
        }
        let publication = try SitePublication(&publisher, keeping: keeping)
        for path in publication.written {
            // The ledger relies on claims, because it does not get the written files again.
            let claim = try #require(publication.claims[path])
            #expect(claim.file == publication.owned[path])
            if let old = owned[path]?.digest { #expect(claim.replacedDigest == old) }
        }
        // It also relies on `changed`.
        let differing = Set(owned.keys).union(publication.owned.keys).filter { owned[$0] != publication.owned[$0] }
        #expect(differing.subtracting(publication.written).subtracting(publication.changed).isEmpty)
        let changed = publication.changed
        #expect(publisher.owned(at: changed) == publication.owned.filter { changed.contains($0.key) })
        return publication
    }
}

/// The result of a publication, and the files that the publisher owns after it.
@dynamicMemberLookup
struct SitePublication {
    let result: PublishResult
    let owned: [String: OwnedFile]
    let changed: Set<String>
    /// The claims of the files, by path.
    let claims: [String: FileClaim]

    init(_ publisher: inout Publisher, keeping: Set<String> = []) throws {
        claims = Dictionary(uniqueKeysWithValues: try publisher.claims().map { ($0.key, $0.value) })
        result = try publisher.finish(keeping: keeping)
        owned = publisher.owned
        changed = publisher.changed
    }

    subscript<Value>(dynamicMember member: KeyPath<PublishResult, Value>) -> Value { result[keyPath: member] }

    /// The known files of the site that were not written.
    var unchanged: Set<String> { Set(owned.keys).subtracting(result.written) }
}
