import Foundation
import PhotoModel
import TestSupport

@testable import Publish

/// A small site whose files hold nothing but the paths of the files to which they link, each on a line.
struct SyntheticSite {
    static let folder = "site"

    var files: [String: String]

    /// - Parameters:
    ///   - version: part of each changing file.
    ///   - photos: the names of the photos.
    init(version: Int, photos: [String]) {
        files = [:]
        let hash = { (name: String) in Digest(of: name).prefix(16) }
        let style = "assets/gallery.\(hash("style\(version)")).css"
        files[style] = ""
        for (place, photo) in photos.enumerated() {
            let picture = "images/\(hash("\(photo) \(version)"))-400.jpg"
            files[picture] = ""
            let next = photos[(place + 1) % photos.count]
            files["photo/\(photo).html"] = "\(style)\n\(picture)\nphoto/\(next).html\nphotos.js\n"
        }
        files["photos.js"] = photos.map { "photo/\($0).html\n" }.joined()
        files["status.json"] = "version \(version)"
        files["index.html"] = "\(style)\nphotos.js\n" + photos.map { "photo/\($0).html\n" }.joined()
    }

    func write(to folder: TemporaryFolder) throws -> LocalSite {
        try? FileManager.default.removeItem(atPath: folder.path + "/" + Self.folder)
        for (path, text) in files { try folder.write(text, to: "\(Self.folder)/\(path)") }
        let owned = files.map { path, text in
            let isNamed = path.hasPrefix("images/") || path.hasPrefix("assets/")
            return (path, OwnedFile(digest: isNamed ? nil : Digest(of: text), bytes: Int64(text.utf8.count)))
        }
        return LocalSite(
            folder: folder.path + "/" + Self.folder, owned: Dictionary(uniqueKeysWithValues: owned))
    }
}

extension TemporaryFolder {
    /// The copy of the target's list that publications of the synthetic site use.
    var cache: PublishedListCache { cache(of: SyntheticSite.folder) }

    /// - Parameter output: the name of the output folder that is published.
    func cache(of output: String) -> PublishedListCache {
        PublishedListCache(path: path + "/memory", output: "\(path)/\(output)")
    }
}

/// What readers find in a folder.
struct ReadableSite {
    let path: String

    /// All files but those that begin with a dot: path → text.
    func files() throws -> [String: String] {
        guard let names = FileManager.default.enumerator(atPath: path) else { return [:] }
        var files: [String: String] = [:]
        while let name = names.nextObject() as? String {
            var isFolder: ObjCBool = false
            let full = path + "/" + name
            guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder), !isFolder.boolValue,
                !name.hasPrefix(".")
            else { continue }
            files[name] = try String(contentsOfFile: full, encoding: .utf8)
        }
        return files
    }

    /// The links that lead nowhere for whoever comes in by index.html.
    func brokenLinks() throws -> Set<String> {
        let files = try files()
        var (reached, waiting, broken): (Set<String>, [String], Set<String>) = ([], ["index.html"], [])
        guard files["index.html"] != nil else { return [] }
        while let path = waiting.popLast() {
            guard reached.insert(path).inserted else { continue }
            guard let text = files[path] else {
                broken.insert(path)
                continue
            }
            guard path.hasSuffix(".html") || path.hasSuffix(".js") else { continue }
            waiting += text.split(separator: "\n").map(String.init)
        }
        return broken
    }
}
