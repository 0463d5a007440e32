import Foundation
import Manifest
import PhotoModel
import Testing

/// The identity of photos within one manifest and across several.
@Suite struct IdentityTests {
    @Test("The address is part of the identity only if a name repeats in its album")
    func identities() throws {
        let manifest = try Fixtures.read("same-name-in-array.plist")
        let identities = manifest.identities()
        #expect(
            identities.map(\.addressKey) == [
                "path:../samples/autumn-mountain.jpg", nil, "path:../samples/plum-blossom.png",
            ])
        #expect(try Fixtures.read("same-name-in-two-albums.plist").identities().allSatisfy { $0.addressKey == nil })
    }

    @Test("Names that Unicode considers equivalent are different names")
    func normalization() throws {
        let identities = try Fixtures.read("nfc-nfd-names.plist").identities()
        #expect(identities[0] != identities[1])
        #expect(Set(identities).count == 2)
        #expect(
            PhotoIdentity(album: ["é"], name: "a", addressKey: nil)
                != PhotoIdentity(album: ["e\u{301}"], name: "a", addressKey: nil))
        #expect(
            PhotoIdentity(album: [], name: "a", addressKey: "é")
                != PhotoIdentity(album: [], name: "a", addressKey: "e\u{301}"))
        #expect(AlbumIdentity(["é"]) != AlbumIdentity(["e\u{301}"]))
        #expect(
            PhotoIdentity(album: ["a"], name: "b", addressKey: nil)
                != PhotoIdentity(album: [], name: "b", addressKey: nil))
    }

    @Test("An exact repeat is shown once, and the warning says where the first is")
    func repeats() throws {
        let manifest = try Fixtures.read("exact-repeat-in-array.plist")
        #expect(manifest.photos.map(\.name) == ["Lake", "Tea"])
        #expect(
            manifest.warnings.map(\.description) == [
                "exact-repeat-in-array.plist:17:2: 'Lake' repeats the entry on line 5, same name and address; "
                    + "it is shown once"
            ])
    }

    @Test(
        "Several manifests become one list in their order; a photo that repeats another is shown once, with a warning")
    func merging() throws {
        func manifest(_ file: String, _ value: String) throws -> Manifest {
            try Reading.manifest(value, origin: .file(path: "/galleries/\(file)", shown: file))
        }
        let first = try manifest(
            "a/one.plist", "<dict><key>Lake</key><string>1.jpg</string><key>Album</key><dict/></dict>")
        let second = try manifest(
            "b/two.plist",
            """
            <dict><key>Tea</key><string>2.jpg</string><key>Lake</key><string>1.jpg</string>
            <key>Album</key><dict><key>Sea</key><string>3.jpg</string></dict></dict>
            """)
        let third = try manifest("b/three.plist", "<dict><key>Lake</key>\n<string>../a/1.jpg</string></dict>")
        let merged = Manifest.merged([first, second, third])
        #expect(merged.title == "One")
        #expect(merged.albums == [["Album"]])
        #expect(merged.photos.map(\.name) == ["Lake", "Tea", "Lake", "Sea"])
        #expect(merged.photos.map(\.location) == ["a/1", "b/2", "b/1", "b/3"].map { .file("/galleries/\($0).jpg") })
        #expect(merged.identities().map(\.addressKey) == ["path:1.jpg", nil, "path:../b/1.jpg", nil])
        #expect(
            merged.warnings.map(\.description) == [
                "b/three.plist:4:7: 'Lake' repeats the entry at a/one.plist:4:7, same name and address; "
                    + "it is shown once"
            ])
        #expect(Set(Slugs.assign(merged.photos, remembered: [:])).count == 4)
    }
}
