import Foundation
import TestSupport
import Testing
import Watching

@Suite("Watching for changes")
struct ChangeWatchTests {
    let folder = TemporaryFolder()
    /// A wait so long that it only ends by timeout in a test that fails.
    let long = Duration.seconds(30)

    private func makeWatch(isNotified: Bool = true) throws -> ChangeWatch {
        let short = ChangeWatch.Intervals(debounce: .milliseconds(20), poll: .milliseconds(20))
        return try ChangeWatch(isNotified: isNotified, intervals: short)
    }

    @Test("Writing a file again is a change", arguments: [true, false])
    func writtenAgain(isNotified: Bool) throws {
        let list = try folder.write("one", to: "photos.plist")
        let watch = try makeWatch(isNotified: isNotified)
        #expect(watch.update(WatchedPaths(files: [list])))
        try folder.write("another", to: "photos.plist")
        #expect(watch.wait(for: long) == .changed)
    }

    @Test("Replacing a file by another is a change", arguments: [true, false])
    func replaced(isNotified: Bool) throws {
        let list = try folder.write("one", to: "photos.plist")
        let other = try folder.write("two", to: "photos.plist.new")
        let watch = try makeWatch(isNotified: isNotified)
        _ = watch.update(WatchedPaths(files: [list]))
        #expect(rename(other, list) == 0)
        #expect(watch.wait(for: long) == .changed)
    }

    @Test(
        "Creating a watched file that was missing is a change, as is creating the folders that lead to it",
        arguments: [true, false])
    func missingFolder(isNotified: Bool) throws {
        let watch = try makeWatch(isNotified: isNotified)
        _ = watch.update(WatchedPaths(files: [folder.path + "/far/away/photo.jpg"]))
        try folder.write("picture", to: "far/away/photo.jpg")
        #expect(watch.wait(for: long) == .changed)
        // The file's own folder is watched by now.
        try folder.write("another picture", to: "far/away/photo.jpg")
        #expect(watch.wait(for: long) == .changed)
    }

    @Test("The target of a symbolic link is watched too", arguments: [true, false])
    func link(isNotified: Bool) throws {
        let target = try folder.write("one", to: "elsewhere/list.plist")
        let link = folder.path + "/photos.plist"
        #expect(symlink(target, link) == 0)
        let watch = try makeWatch(isNotified: isNotified)
        _ = watch.update(WatchedPaths(files: [link]))
        try folder.write("two", to: "elsewhere/list.plist")
        #expect(watch.wait(for: long) == .changed)
    }

    @Test("A symbolic link among the parent folders that gets another target is a change", arguments: [true, false])
    func linkAbove(isNotified: Bool) throws {
        try folder.write("one", to: "first/gallery/photos.plist")
        try folder.write("two", to: "second/gallery/photos.plist")
        let link = folder.path + "/current"
        #expect(symlink("first", link) == 0)
        let watch = try makeWatch(isNotified: isNotified)
        _ = watch.update(WatchedPaths(files: [link + "/gallery/photos.plist"]))
        #expect(symlink("second", link + ".new") == 0)
        #expect(rename(link + ".new", link) == 0)
        #expect(watch.wait(for: long) == .changed)
        // The new target of the link is watched as well.
        try folder.write("three", to: "second/gallery/photos.plist")
        #expect(watch.wait(for: long) == .changed)
    }

    @Test("A folder that is reached by two paths is watched for the names of both", arguments: [true, false])
    func twoPaths(isNotified: Bool) throws {
        try folder.write("list", to: "release/photos.plist")
        for name in ["one", "two"] { try folder.write(name, to: "\(name)/photo.jpg") }
        #expect(symlink("release", folder.path + "/current") == 0)
        #expect(symlink("../one", folder.path + "/release/pictures") == 0)
        let paths = WatchedPaths(
            files: [folder.path + "/current/photos.plist", folder.path + "/current/pictures/photo.jpg"])
        // The order of the paths in a dictionary is random, so one notified watch could get by with a single path.
        let watches = try (0..<(isNotified ? 16 : 1)).map { _ in
            let watch = try makeWatch(isNotified: isNotified)
            _ = watch.update(paths)
            return watch
        }
        let link = folder.path + "/release/pictures"
        #expect(symlink("../two", link + ".new") == 0)
        #expect(rename(link + ".new", link) == 0)
        for watch in watches { #expect(watch.wait(for: long) == .changed) }
    }

    @Test("Replacing a parent folder by another is a change", arguments: [true, false])
    func folderAbove(isNotified: Bool) throws {
        let list = try folder.write("one", to: "site/gallery/photos.plist")
        try folder.write("two", to: "next/gallery/photos.plist")
        let watch = try makeWatch(isNotified: isNotified)
        _ = watch.update(WatchedPaths(files: [list]))
        #expect(rename(folder.path + "/site", folder.path + "/last") == 0)
        #expect(rename(folder.path + "/next", folder.path + "/site") == 0)
        #expect(watch.wait(for: long) == .changed)
        // The folder that leads to the list is another one now.
        try folder.write("three", to: "site/gallery/photos.plist")
        #expect(watch.wait(for: long) == .changed)
        try folder.write("four", to: "last/gallery/photos.plist")
        #expect(watch.wait(for: .milliseconds(50)) == .timedOut)
    }

    @Test("A folder that was replaced while nobody waited is reported")
    func replacedInBetween() throws {
        let paths = WatchedPaths(files: [try folder.write("one", to: "site/gallery/photos.plist")])
        try folder.write("two", to: "next/gallery/photos.plist")
        let watch = try makeWatch()
        _ = watch.update(paths)
        #expect(rename(folder.path + "/site", folder.path + "/last") == 0)
        #expect(rename(folder.path + "/next", folder.path + "/site") == 0)
        #expect(watch.update(paths))
        #expect(!watch.update(paths))
    }

    @Test("Other files in the folder of a watched file are no change", arguments: [true, false])
    func others(isNotified: Bool) throws {
        let list = try folder.write("one", to: "photos.plist")
        let watch = try makeWatch(isNotified: isNotified)
        _ = watch.update(WatchedPaths(files: [list]))
        try folder.write("noise", to: "public/index.html")
        try folder.write("noise", to: "notes.txt")
        #expect(watch.wait(for: .milliseconds(50)) == .timedOut)
    }

    @Test(
        "Every file below a watched folder is watched, even in folders that are created later",
        arguments: [true, false])
    func wholeFolder(isNotified: Bool) throws {
        try folder.write("a", to: "templates/index.mustache")
        let watch = try makeWatch(isNotified: isNotified)
        _ = watch.update(WatchedPaths(folders: [folder.path + "/templates"]))
        try folder.write("b", to: "templates/assets/mine.css")
        #expect(watch.wait(for: long) == .changed)
        try folder.write("c", to: "templates/assets/mine.css")
        #expect(watch.wait(for: long) == .changed)
    }

    @Test("The target of a symbolic link in a watched folder is watched too", arguments: [true, false])
    func linkInFolder(isNotified: Bool) throws {
        let target = try folder.write("a", to: "shared/layout.mustache")
        try folder.write("b", to: "templates/index.mustache")
        #expect(symlink(target, folder.path + "/templates/layout.mustache") == 0)
        let watch = try makeWatch(isNotified: isNotified)
        _ = watch.update(WatchedPaths(folders: [folder.path + "/templates"]))
        try folder.write("c", to: "shared/layout.mustache")
        #expect(watch.wait(for: long) == .changed)
    }

    @Test("A symbolic link above a watched folder that gets another target is a change", arguments: [true, false])
    func linkAboveFolder(isNotified: Bool) throws {
        try folder.write("a", to: "first/templates/index.mustache")
        try folder.write("b", to: "second/templates/index.mustache")
        let link = folder.path + "/current"
        #expect(symlink("first", link) == 0)
        let watch = try makeWatch(isNotified: isNotified)
        _ = watch.update(WatchedPaths(folders: [link + "/templates"]))
        #expect(symlink("second", link + ".new") == 0)
        #expect(rename(link + ".new", link) == 0)
        #expect(watch.wait(for: long) == .changed)
        try folder.write("c", to: "second/templates/index.mustache")
        #expect(watch.wait(for: long) == .changed)
    }

    @Test("A file that does not matter does not end the collecting of changes")
    func othersWhileCollecting() throws {
        let list = try folder.write("one", to: "photos.plist")
        let patient = ChangeWatch.Intervals(debounce: .seconds(1), poll: .milliseconds(20))
        let watch = try ChangeWatch(intervals: patient)
        _ = watch.update(WatchedPaths(files: [list]))
        try folder.write("two", to: "photos.plist")
        let isOver = Observed(false)
        let writes = Observed(0)
        Thread.detachNewThread { [folder] in
            while !isOver.value {
                #expect(throws: Never.self) { try folder.write("noise", to: "notes.txt") }
                writes.update { $0 += 1 }
                sched_yield()
            }
            isOver.update { $0 = false }
        }
        let start = ContinuousClock.now
        #expect(watch.wait(for: long) == .changed)
        #expect(.now - start >= .seconds(1) && writes.value > 0)
        isOver.update { $0 = true }
        while isOver.value { sched_yield() }
    }

    @Test("Moving a watched folder away is a change")
    func movedAway() throws {
        let picture = try folder.write("a", to: "pictures/photo.jpg")
        let watch = try makeWatch()
        _ = watch.update(WatchedPaths(files: [picture]))
        #expect(rename(folder.path + "/pictures", folder.path + "/gone") == 0)
        #expect(watch.wait(for: long) == .changed)
        try folder.write("b", to: "pictures/photo.jpg")
        #expect(watch.wait(for: long) == .changed)
    }

    @Test("Waking ends the wait, even before it begins")
    func woken() throws {
        let watch = try makeWatch()
        watch.wake()
        #expect(watch.wait(for: long) == .woken)
        Thread.detachNewThread { watch.wake() }
        #expect(watch.wait(for: nil) == .woken)
    }

    @Test("Watching more paths is reported; watching the same or fewer is not")
    func coveringMore() throws {
        let one = try folder.write("a", to: "one.jpg")
        let two = try folder.write("b", to: "two.jpg")
        let watch = try makeWatch()
        #expect(watch.update(WatchedPaths(files: [one])))
        #expect(watch.update(WatchedPaths(files: [one, two])))
        #expect(!watch.update(WatchedPaths(files: [one, two])))
        #expect(!watch.update(WatchedPaths(files: [two])))
    }

    @Test("A path that is no longer watched causes no change", arguments: [true, false])
    func noLongerCovered(isNotified: Bool) throws {
        let one = try folder.write("a", to: "first/one.jpg")
        let two = try folder.write("b", to: "second/two.jpg")
        let watch = try makeWatch(isNotified: isNotified)
        _ = watch.update(WatchedPaths(files: [one, two]))
        _ = watch.update(WatchedPaths(files: [two]))
        try folder.write("changed", to: "first/one.jpg")
        #expect(watch.wait(for: .milliseconds(50)) == .timedOut)
    }
}
