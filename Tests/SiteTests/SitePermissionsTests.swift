import Foundation
import PhotoModel
import Site
import TestSupport
import Testing

@Suite("Permissions of a site") struct SitePermissionsTests {
    @Test(
        "Whoever may read a folder of the site may search it",
        arguments: [("644", 0o755), ("664", 0o775), ("640", 0o750), ("600", 0o700), ("646", 0o757), ("0620", 0o720)])
    func folders(text: String, mode: Int) throws {
        #expect(try #require(SitePermissions(octal: text)).folders == UInt32(mode))
    }

    @Test(
        "A mode that is not one of files, or shuts out the owner, is refused",
        arguments: ["", "6", "64", "06440", "648", "755", "1644", "4644", "444", "266", "+644", " 644", "0o644"])
    func refused(text: String) {
        #expect(SitePermissions(octal: text) == nil)
    }

    @Test("A check counts the files and folders whose permissions differ, including the site's own folder")
    func look() throws {
        let output = OutputFolder()
        let files = ["index.html", "photo/a.html", "photo/b.html"]
        try output.publish(Dictionary(uniqueKeysWithValues: files.map { ($0, $0) }))
        func differing(_ mode: String) throws -> Int {
            var scan = try SiteScan(output: output.path, permissions: SitePermissions(octal: mode))
            for path in files { scan.add(path, OwnedFile(digest: nil, bytes: Int64(path.utf8.count))) }
            let (folder, result) = (try scan.inspectFolder(), scan.run())
            #expect(result.damaged == [])
            return result.differing + (folder.differs ? 1 : 0)
        }
        for path in files { #expect(chmod(output.path + "/" + path, 0o644) == 0) }
        for path in ["", "/photo"] { #expect(chmod(output.path + path, 0o755) == 0) }
        #expect(try differing("644") == 0)
        #expect(try differing("640") == 5)
        #expect(chmod(output.path + "/photo/b.html", 0o600) == 0)
        #expect(try differing("644") == 1)
        #expect(chmod(output.path, 0o700) == 0)
        #expect(try differing("644") == 2)
    }
}
