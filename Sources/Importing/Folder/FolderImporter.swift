internal import Foundation
internal import Imaging
internal import Manifest
internal import PhotoModel

/// Lists the pictures of a folder by name, and those of its subfolders as albums. Files that are not pictures by their
/// first bytes are left out; so are hidden files, symbolic links to folders, and sites that gallerygen built.
struct FolderImporter {
    /// The absolute path of the folder.
    let root: String
    let base: SourceBase

    func list() throws(ImportError) -> ImportedList {
        var walk = FolderWalk(base: base)
        do {
            try walk.read(root, album: [])
        } catch {
            throw .unreadableFolder(systemMessage(error))
        }
        var list = ImportedList(photos: walk.photos, shape: .dicts, warnings: walk.warnings)
        list.isComplete = walk.unread.isEmpty
        return list
    }
}

/// Walks through a folder and its subfolders, and collects photos and warnings.
private struct FolderWalk {
    private(set) var photos: [ImportedPhoto] = []
    private let base: SourceBase
    private(set) var unread: [String] = []
    private var invalidNames = 0
    private var broken: [String] = []
    /// The number of pictures in each format that is not read.
    private var otherFormats: [String: Int] = [:]

    init(base: SourceBase) {
        self.base = base
    }

    var warnings: [String] {
        var warnings = otherFormats.sorted { $0.key < $1.key }.map { format, count in
            "\(count) \(format) \(count == 1 ? "picture is" : "pictures are") left out; "
                + (PictureConversion.hint(for: format) ?? "convert \(count == 1 ? "it" : "them") to JPEG or PNG first")
        }
        if invalidNames > 0 {
            let names =
                invalidNames == 1
                ? "is left out, because a list can't hold its name"
                : "are left out, because a list can't hold their names"
            warnings.append("\(counted(invalidNames, "file")) \(names)")
        }
        warnings += broken.prefix(10).map { "\($0) is left out, because it is not a picture" }
        if broken.count > 10 {
            let more = broken.count - 10
            let rest = more == 1 ? "file that is not a picture is" : "files that are not pictures are"
            warnings.append(
                "\(more) more \(rest) left out"
            )
        }
        warnings += unread.map { "\($0) can't be read and is left out" }
        return warnings
    }

    mutating func read(_ folder: String, album: [String]) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted(by: Self.isBefore)
        var folders: [String] = []
        var used: Set<String> = []
        for name in names where !name.hasPrefix(".") && photos.count <= ImportLimits.photos {
            var status = stat()
            let path = folder + "/" + name
            guard lstat(path, &status) == 0 else {
                // Foundation replaces the bytes of a name that are not UTF-8, and no file has the resulting name.
                if !Self.isUsable(name) { invalidNames += 1 }
                continue
            }
            if status.st_mode & S_IFMT == S_IFDIR {
                folders.append(name)
                continue
            }
            // A symbolic link to a file counts as that file. Anything but a regular file could block when it is opened.
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            add(name, at: path, album: album, used: &used)
        }
        for name in folders { readInner(folder + "/" + name, named: name, in: album) }
    }

    private mutating func readInner(_ path: String, named name: String, in album: [String]) {
        guard album.count < ImportLimits.folderDepth, !Self.isSite(path) else { return }
        guard Self.isUsable(name) else {
            invalidNames += 1
            return
        }
        do {
            try read(path, album: album + [name])
        } catch {
            unread.append(path)
        }
    }

    private mutating func add(_ name: String, at path: String, album: [String], used: inout Set<String>) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else {
            if PictureName.isReadable(name) { unread.append(path) }
            return
        }
        defer { close(descriptor) }
        var start = [UInt8](repeating: 0, count: OriginalInspection.bytes)
        let count = start.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        switch OriginalInspection.failure(ofStart: Array(start.prefix(max(0, count)))) {
        case nil: break
        case .unsupportedFormat(let format):
            otherFormats[format, default: 0] += 1
            return
        default:
            if PictureName.isReadable(name) { broken.append(path) }
            return
        }
        guard Self.isUsable(name) else {
            invalidNames += 1
            return
        }
        let metadata = EmbeddedMetadata(of: descriptor)
        // If the names of two files differ only in their extensions, the second keeps its extension.
        let stem = FileName.withoutExtension(name)
        let title = metadata.title ?? (used.contains(stem) ? name : stem)
        used.insert(title)
        photos.append(
            ImportedPhoto(album: album, name: title, address: base.address(ofFile: path), details: metadata.details))
    }

    /// Whether XML can contain the name, and a list can refer to the file by it.
    private static func isUsable(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control && $0.value != 0xFFFD && $0.value < 0xFFFE || $0.value >= 0x10000
        }
    }

    /// Whether the folder contains a site that gallerygen built.
    private static func isSite(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path + "/status.json") else { return false }
        // A file that can't be read does not make the folder a site.
        defer { try? file.close() }
        let start = (try? file.read(upToCount: 200)) ?? Data()
        return String(decoding: start, as: UTF8.self).contains("\"generator\":\"gallerygen")
    }

    /// The order of names, in which runs of digits are compared by their value: IMG_9 comes before IMG_10.
    private static func isBefore(_ left: String, _ right: String) -> Bool {
        var (first, second) = (Array(left.lowercased().utf8)[...], Array(right.lowercased().utf8)[...])
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        while let a = first.first, let b = second.first {
            if isDigit(a), isDigit(b) {
                let (x, y) = (first.prefix(while: isDigit), second.prefix(while: isDigit))
                let (p, q) = (x.drop { $0 == 0x30 }, y.drop { $0 == 0x30 })
                if p.count != q.count { return p.count < q.count }
                if !p.elementsEqual(q) { return p.lexicographicallyPrecedes(q) }
                (first, second) = (first.dropFirst(x.count), second.dropFirst(y.count))
            } else if a != b {
                return a < b
            } else {
                (first, second) = (first.dropFirst(), second.dropFirst())
            }
        }
        return first.count != second.count ? first.count < second.count : left < right
    }
}
