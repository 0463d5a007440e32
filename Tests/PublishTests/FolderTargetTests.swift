import Foundation
import PhotoModel
import Site
import TestSupport
import Testing

@testable import Publish

@Suite struct FolderTargetTests {
    private static let site = SyntheticSite(version: 1, photos: ["a", "b"])

    private let folder = TemporaryFolder()

    private var target: String { folder.path + "/target" }

    private func publish(
        _ site: SyntheticSite = site, verifies: Bool = false, maxDelete: Int = 256, keepOld: Int64 = 0
    ) throws(any Error) -> PublishReport {
        try publication(site, verifies: verifies, maxDelete: maxDelete, keepOld: keepOld).run()
    }

    private func publication(
        _ site: SyntheticSite, verifies: Bool = false, maxDelete: Int = 256, keepOld: Int64 = 0
    ) throws -> SitePublication {
        try SitePublication(
            site.write(to: folder), to: FolderTarget(path: target), cache: folder.cache,
            options: PublishOptions(
                retention: PublishRetention(seconds: keepOld, now: Timestamp(seconds: 1_700_000_000)),
                maxDelete: maxDelete, verifies: verifies))
    }

    @Test("Files that are not ours stay, and are no obstacle where none of ours must go")
    func others() throws {
        try folder.write("theirs", to: "target/CNAME")
        try folder.write("theirs", to: "target/photo/mine.html")
        _ = try publish()
        _ = try publish(SyntheticSite(version: 2, photos: ["c"]))
        var files = try ReadableSite(path: target).files()
        #expect(files.removeValue(forKey: "CNAME") == "theirs")
        #expect(files.removeValue(forKey: "photo/mine.html") == "theirs")
        #expect(files == SyntheticSite(version: 2, photos: ["c"]).files)
    }

    @Test("A file that is not ours where one of ours must go is named, and nothing is sent")
    func foreignFile() throws {
        try folder.write("theirs", to: "target/photo/b.html")
        #expect(throws: PublishError.foreign(target: target, path: "photo/b.html", count: 1)) { try publish() }
        #expect(try ReadableSite(path: target).files() == ["photo/b.html": "theirs"])
    }

    @Test(
        "A symbolic link or folder in the place of a published file is named before anything is sent",
        arguments: ["index.html", "photo/a.html", "images"])
    func replacedByOther(path: String) throws {
        _ = try publish()
        let files = FileManager.default
        let theirs = try folder.write("theirs", to: "theirs")
        try files.removeItem(atPath: target + "/" + path)
        try files.createSymbolicLink(atPath: target + "/" + path, withDestinationPath: theirs)
        let before = try files.subpathsOfDirectory(atPath: target).sorted()
        let list = try #require(files.contents(atPath: target + "/.gallerygen-published"))
        let second = SyntheticSite(version: 2, photos: ["a", "b"])
        #expect(throws: PublishError.self) { try publication(second).planned() }
        #expect(throws: PublishError.self) { try publish(second) }
        #expect(try files.subpathsOfDirectory(atPath: target).sorted() == before)
        #expect(files.contents(atPath: target + "/.gallerygen-published") == list)
        #expect(try files.destinationOfSymbolicLink(atPath: target + "/" + path) == theirs)
    }

    @Test("A folder or symbolic link where one of ours must go is foreign", arguments: ["folder", "link", "images"])
    func foreignKind(_ kind: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path + "/elsewhere", withIntermediateDirectories: true)
        try files.createDirectory(atPath: target, withIntermediateDirectories: true)
        switch kind {
        case "folder": try files.createDirectory(atPath: target + "/index.html", withIntermediateDirectories: true)
        case "link": try files.createSymbolicLink(atPath: target + "/index.html", withDestinationPath: "/etc/hostname")
        default:
            try files.createSymbolicLink(atPath: target + "/images", withDestinationPath: folder.path + "/elsewhere")
        }
        #expect(throws: PublishError.self) { try publish() }
        #expect(try files.contentsOfDirectory(atPath: folder.path + "/elsewhere").isEmpty)
        #expect(!files.fileExists(atPath: target + "/.gallerygen-published"))
    }

    @Test("A folder of ours that somebody replaced by a link is not followed")
    func replacedFolder() throws {
        _ = try publish()
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path + "/elsewhere", withIntermediateDirectories: true)
        try files.removeItem(atPath: target + "/photo")
        try files.createSymbolicLink(atPath: target + "/photo", withDestinationPath: folder.path + "/elsewhere")
        #expect(throws: PublishError.self) { try publish(SyntheticSite(version: 2, photos: ["a", "c"])) }
        #expect(try files.contentsOfDirectory(atPath: folder.path + "/elsewhere").isEmpty)
    }

    @Test("The store of a shared build is no target, even if a site was published there", arguments: [true, false])
    func store(isPublished: Bool) throws {
        if isPublished { _ = try publish() }
        try folder.write("{}", to: "target/photos/\(Digest(of: "photo").hex)")
        let picture = try #require(Self.site.files.keys.first { $0.hasPrefix("images/") })
        try folder.write("", to: "target/\(picture)")
        let before = try ReadableSite(path: target).files()
        let changed = SyntheticSite(version: 2, photos: ["a"])
        for verifies in [false, true] {
            #expect(throws: PublishError.self) { try publication(changed, verifies: verifies).planned() }
            #expect(throws: PublishError.self) { try publish(changed, verifies: verifies) }
        }
        #expect(try ReadableSite(path: target).files() == before)
    }

    @Test("A list that is none of gallerygen's is foreign")
    func foreignList() throws {
        try folder.write("mine", to: "target/.gallerygen-published")
        #expect(throws: PublishError.foreign(target: target, path: ".gallerygen-published", count: 1)) {
            try publish()
        }
    }

    @Test("A target that lost its list is not filled again unless that is asked for")
    func emptied() throws {
        _ = try publish()
        try FileManager.default.removeItem(atPath: target)
        // The folder can be the mount point of a disk that is not mounted.
        #expect(throws: PublishError.forgotten(target: target)) { try publish() }
        let changed = SyntheticSite(version: 2, photos: ["a"])
        #expect(throws: PublishError.forgotten(target: target)) { try publish(changed) }
        #expect(!FileManager.default.fileExists(atPath: target))
        _ = try publish(changed, verifies: true)
        #expect(try ReadableSite(path: target).files() == changed.files)
    }

    @Test("An empty target is noticed although nothing has changed")
    func emptiedWithoutChanges() throws {
        _ = try publish()
        try FileManager.default.removeItem(atPath: target)
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        #expect(throws: PublishError.forgotten(target: target)) { try publish() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
        _ = try publish(verifies: true)
        #expect(try publish().changedNothing)
    }

    @Test("With --verify, a target that lost its list alone gets it again, and files of ours are no obstacle")
    func lostList() throws {
        _ = try publish()
        try FileManager.default.removeItem(atPath: target + "/.gallerygen-published")
        try folder.write("damaged", to: "target/index.html")
        let changed = SyntheticSite(version: 2, photos: ["a"])
        #expect(throws: PublishError.forgotten(target: target)) { try publish(changed) }
        _ = try publish(changed, verifies: true)
        #expect(try ReadableSite(path: target).files() == changed.files)
    }

    @Test("The site of another gallery is replaced only with --verify")
    func otherSite() throws {
        let site = SyntheticSite(version: 1, photos: ["a", "b", "c", "d"])
        _ = try publish(site)
        try FileManager.default.removeItem(atPath: folder.path + "/memory")
        // Photos of different galleries can have the same name.
        for photos in [["x"], ["a"], ["a", "x", "y"]] {
            #expect(throws: PublishError.otherSite(target: target, pages: 4)) {
                try publish(SyntheticSite(version: 2, photos: photos))
            }
            #expect(try ReadableSite(path: target).files() == site.files)
        }
        // Another machine that publishes the same gallery shares pages with it.
        _ = try publish(SyntheticSite(version: 2, photos: ["a", "b", "x", "y"]))
        try FileManager.default.removeItem(atPath: folder.path + "/memory")
        _ = try publish(SyntheticSite(version: 2, photos: ["z"]), verifies: true)
        #expect(try ReadableSite(path: target).files() == SyntheticSite(version: 2, photos: ["z"]).files)
    }

    @Test("The copy of the list that a gallery wrote does not count for another one with the same state folder")
    func copyOfOtherGallery() throws {
        let site = SyntheticSite(version: 1, photos: ["a", "b", "c", "d"])
        try folder.write("other", to: "other/index.html")
        _ = try SitePublication(
            site.write(to: folder), to: FolderTarget(path: target), cache: folder.cache(of: "other"),
            options: PublishOptions(retention: PublishRetention(seconds: 0, now: Timestamp(seconds: 0)))
        ).run()
        let changed = SyntheticSite(version: 2, photos: ["x"])
        #expect(throws: PublishError.otherSite(target: target, pages: 4)) { try publish(changed) }
        #expect(try ReadableSite(path: target).files() == site.files)
        #expect(try folder.cache(of: "other").read() != nil)
        // Without the other site, the output folder was moved.
        try FileManager.default.removeItem(atPath: folder.path + "/other")
        _ = try publish(changed)
        #expect(try ReadableSite(path: target).files() == changed.files)
    }

    @Test("The copy of an earlier version, which has no output folder, counts")
    func copyOfEarlierVersion() throws {
        _ = try publish()
        let list = try folder.bytes(of: "target/.gallerygen-published")
        try folder.write(list, to: "memory")
        #expect(try folder.cache.read() == PublishedList([UInt8](list)))
        #expect(try publish(SyntheticSite(version: 2, photos: ["x"])).removed.count == 5)
    }

    @Test("With --verify, what is missing or was changed at the target is sent again")
    func verifying() throws {
        _ = try publish()
        try folder.write("changed", to: "target/index.html")
        try FileManager.default.removeItem(atPath: target + "/photo/a.html")
        #expect(try publish().changedNothing)
        #expect(Set(try publish(verifies: true).sent.map(\.path)) == ["index.html", "photo/a.html"])
        #expect(try ReadableSite(path: target).files() == Self.site.files)
        #expect(try publish(verifies: true).changedNothing)
    }

    @Test("If more files would be removed than allowed, all is sent and none is removed")
    func tooManyRemovals() throws {
        _ = try publish()
        let changed = SyntheticSite(version: 2, photos: ["c"])
        // Two pages, two pictures and a style.
        let planned = try publication(changed, maxDelete: 4).planned()
        #expect(planned.problem == .tooManyRemovals(target: target, removals: 5, limit: 4, isDryRun: true))
        #expect(planned.plan.removals.isEmpty && !planned.plan.sends.isEmpty)
        let first = try publish(changed, maxDelete: 4)
        #expect(first.problem == .tooManyRemovals(target: target, removals: 5, limit: 4))
        #expect(Set(first.sent.map(\.path)).isSuperset(of: ["photo/c.html", "index.html"]) && first.removed.isEmpty)
        let files = try ReadableSite(path: target).files()
        #expect(files.count == changed.files.count + 5)
        #expect(files.filter { changed.files[$0.key] != nil } == changed.files)
        let second = try publish(changed, maxDelete: 4)
        #expect(second.problem == first.problem && second.changedNothing)
        let allowed = try publication(changed, maxDelete: 5).planned()
        #expect(allowed.problem == nil && allowed.plan.removals.count == 5)
        #expect(try publish(changed, maxDelete: 5).removed.count == 5)
        #expect(try ReadableSite(path: target).files() == changed.files)
    }

    @Test("A file of the site that somebody changed is named, and nothing is sent")
    func changedSite() throws {
        let site = try Self.site.write(to: folder)
        try folder.write("broken", to: "site/photo/a.html")
        let publication = SitePublication(
            site, to: try FolderTarget(path: target), cache: folder.cache,
            options: PublishOptions(retention: PublishRetention(seconds: 0, now: Timestamp(seconds: 0))))
        #expect(throws: PublishError.changed(path: folder.path + "/site/photo/a.html")) { try publication.run() }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test("What a killed publication left on its way goes with the next one")
    func leftovers() throws {
        try folder.write("half", to: "target/.gallerygen-0123456789abcdef.tmp/0")
        _ = try publish()
        let names = try FileManager.default.contentsOfDirectory(atPath: target)
        #expect(names.filter { $0.hasPrefix(".") } == [".gallerygen-published"])
    }

    @Test("A file gets the permissions that it has in the site")
    func permissions() throws {
        let site = try Self.site.write(to: folder)
        chmod(folder.path + "/site/index.html", 0o640)
        _ = try SitePublication(
            site, to: FolderTarget(path: target), cache: folder.cache,
            options: PublishOptions(retention: PublishRetention(seconds: 0, now: Timestamp(seconds: 0)))
        ).run()
        var status = stat()
        #expect(stat(target + "/index.html", &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    @Test("With --verify, the permissions of files and folders are corrected, and folders lose none")
    func correctedPermissions() throws {
        let site = try Self.site.write(to: folder)
        let publish = { (verifies: Bool) in
            try SitePublication(
                site, to: FolderTarget(path: target, permissions: SitePermissions(octal: "644")), cache: folder.cache,
                options: PublishOptions(
                    retention: PublishRetention(seconds: 0, now: Timestamp(seconds: 0)), verifies: verifies)
            ).run()
        }
        _ = try publish(false)
        chmod(folder.path + "/site/index.html", 0o640)
        chmod(target + "/images", 0o700)
        chmod(target + "/photo", 0o775)
        #expect(try publish(false).changedNothing)
        #expect(try publish(true).corrected == 2)
        for (name, mode) in [("index.html", 0o640), ("images", 0o755), ("photo", 0o775)] as [(String, mode_t)] {
            var status = stat()
            #expect(stat("\(target)/\(name)", &status) == 0 && status.st_mode & 0o777 == mode, "\(name)")
        }
        #expect(try publish(true).changedNothing)
    }

    @Test("New folders of the target get the given permissions")
    func folderPermissions() throws {
        _ = try SitePublication(
            Self.site.write(to: folder),
            to: FolderTarget(path: target, permissions: SitePermissions(octal: "604")), cache: folder.cache,
            options: PublishOptions(retention: PublishRetention(seconds: 0, now: Timestamp(seconds: 0)))
        ).run()
        for name in ["", "/photo", "/images", "/assets"] {
            var status = stat()
            #expect(stat(target + name, &status) == 0 && status.st_mode & 0o777 == 0o705, "\(name)")
        }
    }
}
