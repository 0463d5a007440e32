import Foundation
import PhotoModel
import TestSupport
import Testing

@testable import Publish

/// A target that breaks off before its nth change, as a kill or a broken connection does.
private final class BreakingTarget: PublishTarget {
    private let inner: FolderTarget
    private var left: Int

    init(_ path: String, after changes: Int) throws {
        inner = try FolderTarget(path: path)
        left = changes
    }

    var shown: String { inner.shown }

    private func change() throws(PublishError) {
        guard left > 0 else { throw .refused(target: shown, detail: "broken off") }
        left -= 1
    }

    func readList() throws(PublishError) -> [UInt8]? { try inner.readList() }

    var isListMissing: Bool { inner.isListMissing }

    func isStore() -> Bool { inner.isStore() }

    func find(_ files: [OutgoingFile]) throws(PublishError) -> [String: Presence] { try inner.find(files) }

    func checkDestinations(of files: [OutgoingFile]) throws(PublishError) { try inner.checkDestinations(of: files) }

    func writeList(_ bytes: [UInt8]) throws(PublishError) {
        try change()
        try inner.writeList(bytes)
    }

    func send(_ files: [OutgoingFile], sent: (OutgoingFile) -> Void) throws(PublishError) {
        for file in files {
            try change()
            try inner.send([file], sent: sent)
        }
    }

    func remove(_ paths: [String]) throws(PublishError) {
        for path in paths {
            try change()
            try inner.remove([path])
        }
    }
}

@Suite struct InterruptedPublicationTests {
    private static let start = Timestamp(seconds: 1_700_000_000)

    private static func options(_ seconds: Int64 = 0, keepOld: Int64 = 86_400) -> PublishOptions {
        PublishOptions(
            retention: PublishRetention(seconds: keepOld, now: Timestamp(seconds: start.seconds + seconds)))
    }

    /// - Returns: the report of the publication; nil if it broke off.
    private static func report(
        _ site: LocalSite, in folder: TemporaryFolder, changes: Int = .max, _ options: PublishOptions
    ) throws -> PublishReport? {
        let target = try BreakingTarget(folder.path + "/target", after: changes)
        do {
            return try SitePublication(site, to: target, cache: folder.cache, options: options).run()
        } catch PublishError.refused {
            return nil
        }
    }

    /// - Returns: whether the publication came to its end.
    private static func publish(
        _ site: LocalSite, in folder: TemporaryFolder, changes: Int = .max, _ options: PublishOptions
    ) throws -> Bool {
        try report(site, in: folder, changes: changes, options) != nil
    }

    private static let first = SyntheticSite(version: 1, photos: ["a", "b", "c"])
    private static let second = SyntheticSite(version: 2, photos: ["b", "c", "d"])

    /// The files of the second site that the first one does not have, or has with other content.
    private static var changed: Set<String> {
        Set(second.files.filter { first.files[$0.key] != $0.value }.keys)
    }

    /// The files of the first site that the second one does not have.
    private static var gone: Set<String> { Set(first.files.keys).subtracting(second.files.keys) }

    private static func reported(_ report: PublishReport) -> Set<String> {
        Set((report.sent + report.sentBefore).map(\.path))
    }

    @Test(
        "A publication that breaks off at any file breaks no link, and the next one completes it",
        arguments: zip([false, true], [Int64(86_400), 0]))
    func brokenOff(losesMemory: Bool, keepOld: Int64) throws {
        var changes = 0
        while true {
            let folder = TemporaryFolder()
            let target = ReadableSite(path: folder.path + "/target")
            #expect(try Self.publish(Self.first.write(to: folder), in: folder, Self.options(keepOld: keepOld)))
            #expect(try target.files() == Self.first.files)
            let site = try Self.second.write(to: folder)
            let isDone = try Self.publish(site, in: folder, changes: changes, Self.options(10, keepOld: keepOld))
            #expect(try target.brokenLinks().isEmpty, "broken off after \(changes) changes")
            if losesMemory { try FileManager.default.removeItem(atPath: folder.path + "/memory") }
            let report = try #require(try Self.report(site, in: folder, Self.options(20, keepOld: keepOld)))
            if !isDone {
                // Without this machine's copy of the list, it is not known what was sent before.
                let reported = Self.reported(report)
                #expect(
                    losesMemory ? reported.isSubset(of: Self.changed) : reported == Self.changed,
                    "broken off after \(changes) changes")
                #expect(keepOld > 0 || Set(report.removed) == Self.gone, "broken off after \(changes) changes")
            }
            let files = try target.files()
            #expect(files.filter { Self.second.files[$0.key] != nil } == Self.second.files)
            #expect((keepOld == 0) == (files.count == Self.second.files.count))
            #expect(try Self.publish(site, in: folder, Self.options(100_000, keepOld: keepOld)))
            #expect(try target.files() == Self.second.files)
            if isDone { break }
            changes += 1
        }
        // Lists before and after, and each file that is new or changed.
        #expect(changes >= 12)
    }

    @Test("The publication that completes several broken ones reports what all of them had sent")
    func brokenOffTwice() throws {
        for first in stride(from: 1, to: 12, by: 3) {
            for second in 0..<12 {
                let folder = TemporaryFolder()
                #expect(try Self.publish(Self.first.write(to: folder), in: folder, Self.options()))
                let site = try Self.second.write(to: folder)
                var reported: Set<String> = []
                for changes in [first, second, .max] {
                    let report = try Self.report(site, in: folder, changes: changes, Self.options(10))
                    let files = report.map(Self.reported) ?? []
                    #expect(files.isDisjoint(with: reported), "a file is reported twice")
                    reported.formUnion(files)
                    if report != nil { break }
                }
                #expect(reported == Self.changed, "broken off after \(first) and \(second) changes")
            }
        }
    }

    @Test("A first publication that breaks off at any file is completed by the next")
    func firstBrokenOff() throws {
        var changes = 0
        while true {
            let folder = TemporaryFolder()
            let target = ReadableSite(path: folder.path + "/target")
            let site = try Self.first.write(to: folder)
            let isDone = try Self.publish(site, in: folder, changes: changes, Self.options())
            #expect(try target.brokenLinks().isEmpty, "broken off after \(changes) changes")
            #expect(try Self.publish(site, in: folder, Self.options()))
            #expect(try target.files() == Self.first.files)
            if isDone { break }
            changes += 1
        }
        #expect(changes >= 10)
    }

    @Test("A first publication that failed before anything was at the target leaves another gallery's site alone")
    func firstFailedAtOnce() throws {
        let folder = TemporaryFolder()
        let other = TemporaryFolder()
        let target = ReadableSite(path: folder.path + "/target")
        let site = try SyntheticSite(version: 1, photos: ["x", "y"]).write(to: folder)
        #expect(try !Self.publish(site, in: folder, changes: 0, Self.options(keepOld: 0)))
        let published = try SitePublication(
            Self.first.write(to: other), to: FolderTarget(path: target.path), cache: other.cache,
            options: Self.options()
        ).run()
        #expect(published.sent.count == Self.first.files.count)
        #expect(throws: PublishError.otherSite(target: target.path, pages: 3)) {
            try Self.publish(site, in: folder, Self.options(keepOld: 0))
        }
        #expect(try target.files() == Self.first.files)
    }

    @Test("After a first publication that broke off, a gallery can change all of its photos")
    func changedAfterFirstBreak() throws {
        let folder = TemporaryFolder()
        #expect(try !Self.publish(Self.first.write(to: folder), in: folder, changes: 4, Self.options()))
        let changed = SyntheticSite(version: 2, photos: ["x"])
        #expect(try Self.publish(changed.write(to: folder), in: folder, Self.options(keepOld: 0)))
        #expect(try ReadableSite(path: folder.path + "/target").files() == changed.files)
    }

    @Test("A site that returns to what it was while its change was being published is published again")
    func returning() throws {
        let folder = TemporaryFolder()
        let target = ReadableSite(path: folder.path + "/target")
        #expect(try Self.publish(Self.first.write(to: folder), in: folder, Self.options()))
        #expect(try !Self.publish(Self.second.write(to: folder), in: folder, changes: 9, Self.options(10)))
        #expect(try Self.publish(Self.first.write(to: folder), in: folder, Self.options(20)))
        #expect(try target.files().filter { Self.first.files[$0.key] != nil } == Self.first.files)
    }

    @Test("A site that returns to what it was while files were being removed is published again, at any break")
    func returningAfterRemovals() throws {
        var changes = 0
        while true {
            let folder = TemporaryFolder()
            let options = Self.options(keepOld: 0)
            #expect(try Self.publish(Self.first.write(to: folder), in: folder, options))
            let isDone = try Self.publish(Self.second.write(to: folder), in: folder, changes: changes, options)
            #expect(try Self.publish(Self.first.write(to: folder), in: folder, options))
            let files = try ReadableSite(path: folder.path + "/target").files()
            #expect(files == Self.first.files, "broken off after \(changes) changes")
            if isDone { break }
            changes += 1
        }
        // Lists before and after, and each file that is new, changed or gone.
        #expect(changes == 2 + Self.changed.count + Self.gone.count)
    }

    @Test("What is there already after a break is not sent again")
    func resuming() throws {
        let folder = TemporaryFolder()
        let site = try Self.first.write(to: folder)
        #expect(try !Self.publish(site, in: folder, changes: 4, Self.options()))
        let target = try FolderTarget(path: folder.path + "/target")
        let report = try SitePublication(site, to: target, cache: folder.cache, options: Self.options()).run()
        #expect(report.sent.count == Self.first.files.count - 3)
    }
}
