import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct FolderStoreTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/store" }

    private func temporaryFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/.tmp")
    }

    @Test("Of several threads that create an object, one does, and the object is complete")
    func createdOnce() throws {
        let store = try FolderStore(path)
        for round in 0..<20 {
            let winners = Collected<UInt8>()
            try ConcurrentWork.forEach((0..<16).map { UInt8($0) }, limit: 16) { (number) throws(ObjectStoreError) in
                let content = [UInt8](repeating: number, count: 100_000)
                if try store.create("images/\(round).jpg", content) { winners.add(number) }
            }
            let winner = try #require(winners.all.count == 1 ? winners.all.first : nil)
            #expect(try store.read("images/\(round).jpg") == [UInt8](repeating: winner, count: 100_000))
        }
        #expect(try temporaryFiles() == [])
    }

    @Test("An object that exists stays as it is")
    func exists() throws {
        let store = try FolderStore(path)
        let file = try folder.write("other", to: "file")
        #expect(try store.create("a/b", Array("first".utf8)))
        #expect(try !store.create("a/b", Array("second".utf8)))
        #expect(try !store.create("a/b", fromFileAt: file))
        #expect(try store.read("a/b") == Array("first".utf8))
        #expect(try store.read("a/c") == nil && store.read("x/c") == nil)
        #expect(try store.read("a/b", prefix: 2) == Array("fi".utf8))
        #expect(try store.read("a/b", prefix: 9) == Array("first".utf8) && store.read("a/c", prefix: 1) == nil)
    }

    @Test("A file becomes an object by a hard link, and an object is fetched as a copy")
    func links() throws {
        let store = try FolderStore(path)
        let file = try folder.write("content", to: "file")
        #expect(try store.create("images/a.jpg", fromFileAt: file))
        #expect(try store.fetch("images/a.jpg", toFileAt: folder.path + "/copy"))
        #expect(try Self.inode(path + "/images/a.jpg") == Self.inode(file))
        #expect(try Self.inode(folder.path + "/copy") != Self.inode(file))
        // A symbolic link is followed, because its target can change.
        symlink(file, folder.path + "/link")
        #expect(try store.create("images/b.jpg", fromFileAt: folder.path + "/link"))
        #expect(try Self.inode(path + "/images/b.jpg") == Self.inode(file))
    }

    @Test("A file that only its owner may read is copied, so that all readers of the store can read the object")
    func permissions() throws {
        let store = try FolderStore(path)
        chmod(path, 0o755)
        let file = try folder.write("content", to: "file")
        chmod(file, 0o600)
        #expect(try store.create("a", fromFileAt: file))
        #expect(try Self.inode(path + "/a") != Self.inode(file) && store.read("a") == Array("content".utf8))
        #expect(try temporaryFiles() == [])
    }

    @Test(
        "A file of another group is copied, so that the group of the store can read the object",
        .enabled(if: geteuid() == 0, "only root can give files to any group"))
    func otherGroup() throws {
        let store = try FolderStore(path)
        #expect(chown(path, 0, 1) == 0 && chmod(path, 0o2770) == 0)
        let file = try folder.write("content", to: "file")
        #expect(chown(file, 0, 2) == 0 && chmod(file, 0o640) == 0)
        #expect(try store.create("a", fromFileAt: file))
        var object = stat()
        #expect(stat(path + "/a", &object) == 0 && object.st_gid == 1 && object.st_mode & S_IRGRP != 0)
        // Everybody can read this one.
        #expect(chmod(file, 0o644) == 0)
        #expect(try store.create("b", fromFileAt: file))
        #expect(try Self.inode(path + "/b") == Self.inode(file))
    }

    @Test("A file of another file system is copied, and an object to another one", .enabled(if: Self.hasOtherDisk))
    func otherFileSystem() throws {
        let store = try FolderStore(path)
        let other = "/dev/shm/gallerygen-test-\(UUID().uuidString)"
        defer { for name in [other, other + "-back"] { unlink(name) } }
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try Data(content).write(to: URL(fileURLWithPath: other))
        #expect(try store.create("a", fromFileAt: other))
        #expect(try store.read("a") == content)
        #expect(try store.fetch("a", toFileAt: other + "-back"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: other + "-back")) == Data(content))
        #expect(throws: ObjectStoreError.file(path: other + "-back", errno: EEXIST)) {
            try store.fetch("a", toFileAt: other + "-back")
        }
        #expect(try temporaryFiles() == [])
    }

    private static let hasOtherDisk: Bool = {
        var (one, two) = (stat(), stat())
        return stat("/dev/shm", &one) == 0 && stat(FileManager.default.temporaryDirectory.path, &two) == 0
            && one.st_dev != two.st_dev
    }()

    @Test("Without hard links, a name that is taken stays with its file")
    func rename() throws {
        let (one, two) = (try folder.write("one", to: "one"), try folder.write("two", to: "two"))
        #expect(try LinkFailure.install(one, as: folder.path + "/name"))
        #expect(try !LinkFailure.install(two, as: folder.path + "/name"))
        #expect(try folder.bytes(of: "name") == Data("one".utf8) && folder.contents() == ["name", "two"])
    }

    @Test("An object is not fetched over a file, and one that does not exist is none")
    func fetch() throws {
        let store = try FolderStore(path)
        #expect(try store.create("a", Array("new".utf8)))
        let file = try folder.write("old", to: "file")
        #expect(throws: ObjectStoreError.file(path: file, errno: EEXIST)) { try store.fetch("a", toFileAt: file) }
        #expect(try folder.bytes(of: "file") == Data("old".utf8))
        #expect(try !store.fetch("b", toFileAt: folder.path + "/b") && !store.fetch("x/b", toFileAt: file))
        #expect(throws: ObjectStoreError.file(path: folder.path + "/no/b", errno: ENOENT)) {
            try store.fetch("a", toFileAt: folder.path + "/no/b")
        }
    }

    @Test("What a killed process has left is no object, and is removed after a day")
    func killed() throws {
        let store = try FolderStore(path)
        #expect(try store.create("a", [1]))
        try folder.write("half", to: "store/.tmp/host.1.x")
        try folder.write("half", to: "store/.tmp/host.2.y")
        let old = Date(timeIntervalSinceNow: -90_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path + "/.tmp/host.2.y")
        #expect(try FolderStore(path).list("") == [StoredObject(key: "a", bytes: 1)])
        #expect(try temporaryFiles() == ["host.1.x"])
    }

    @Test("Objects are listed by any beginning of their keys, sorted, without hidden files")
    func list() throws {
        let store = try FolderStore(path)
        for key in ["images/b.jpg", "images/a.jpg", "images/ab/c", "photos/a", "images-2/a"] {
            #expect(try store.create(key, Array(key.utf8)))
        }
        try folder.write("", to: "store/images/.nfs0001")
        try folder.write("", to: "store/.hidden/a")
        func keys(_ prefix: String) throws -> [String] { try store.list(prefix).map(\.key) }
        #expect(try keys("images/") == ["images/a.jpg", "images/ab/c", "images/b.jpg"])
        #expect(try keys("images/a") == ["images/a.jpg", "images/ab/c"] && keys("images/a.") == ["images/a.jpg"])
        #expect(try keys("im") == ["images-2/a", "images/a.jpg", "images/ab/c", "images/b.jpg"])
        #expect(try keys("").count == 5 && keys("shards/").isEmpty && keys("images/a/").isEmpty)
        #expect(try store.list("photos/") == [StoredObject(key: "photos/a", bytes: 8)])
    }

    @Test(
        "A key with other characters, or with parts that are no names, is refused",
        arguments: [
            "", "/a", "a/", "a//b", ".", "..", "a/../b", ".tmp/a", "a/.b", "a=b", "a+b", "a b", "ä", "a\0", "a%2F",
            String(repeating: "a", count: 256), String(repeating: "a/", count: 400) + "a",
        ])
    func keys(key: String) throws {
        let store = try FolderStore(path)
        #expect(throws: ObjectStoreError.key(key)) { try store.create(key, []) }
        #expect(throws: ObjectStoreError.key(key)) { try store.create(key, fromFileAt: "/etc/hostname") }
        #expect(throws: ObjectStoreError.key(key)) { try store.read(key) }
        #expect(throws: ObjectStoreError.key(key)) { try store.fetch(key, toFileAt: folder.path + "/x") }
        #expect(try folder.contents() == ["store"])
    }

    @Test("A store that can't be used is reported with its path")
    func errors() throws {
        let file = try folder.write("", to: "file")
        #expect(throws: ObjectStoreError.file(path: file, errno: ENOTDIR)) { try FolderStore(file) }
        #expect(throws: ObjectStoreError.file(path: file + "/a", errno: ENOTDIR)) { try FolderStore(file + "/a") }
        #expect(throws: ObjectStoreError.file(path: path, errno: ENOENT)) {
            try FolderStore(path, createsFolder: false)
        }
        #expect(throws: ObjectStoreError.file(path: "/proc/x", errno: ENOENT)) { try FolderStore("/proc/x") }
        let store = try FolderStore(path + "/a/b")
        #expect(throws: ObjectStoreError.file(path: folder.path + "/none", errno: ENOENT)) {
            try store.create("a", fromFileAt: folder.path + "/none")
        }
        try folder.write("", to: "store/a/b/images")
        #expect(throws: ObjectStoreError.file(path: path + "/a/b/images/x", errno: ENOTDIR)) {
            try store.create("images/x", [])
        }
    }

    @Test("A store that has vanished is not created again, because it might not be mounted any more")
    func vanished() throws {
        let store = try FolderStore(path)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: ObjectStoreError.file(path: path, errno: ENOENT)) { try store.create("images/a", [1]) }
        #expect(try folder.contents() == [])
    }

    @Test("A cancelled operation ends")
    func cancelled() throws {
        let store = try FolderStore(path, isCancelled: { true })
        #expect(throws: ObjectStoreError.interrupted) { try store.create("a", []) }
        #expect(throws: ObjectStoreError.interrupted) { try store.read("a") }
    }

    private static func inode(_ path: String) throws -> UInt64 {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return UInt64(status.st_ino)
    }
}
