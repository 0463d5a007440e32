import Manifest
import Testing

/// The title of a gallery that has none in its settings.
@Suite struct TitleTests {
    @Test(
        "The title is the manifest's file name in readable words",
        arguments: [
            ("/a/classic-photos.plist", "Classic Photos"), ("/a/photos.plist", "Photos"),
            ("/a/classic_photos-http.plist.in", "Classic Photos Http"),
            ("/a/camera.club.2024.plist", "Camera Club 2024"),
            ("/a/übersicht", "Übersicht"), ("/a/IMG 1.PLIST", "IMG 1"), ("/a/--.plist", nil),
        ])
    func files(_ path: String, title: String?) throws {
        let origin = ManifestOrigin.file(path: path, shown: "x")
        #expect(try Reading.manifest("<dict/>", origin: origin).title == title)
    }

    @Test("The title of a manifest from a URL is the last part of the path, decoded; standard input has none")
    func others() throws {
        let remote = ManifestOrigin.remote(url: "https://example.org/l/Old%20harbour.plist?x=a/b.plist", shown: "x")
        #expect(try Reading.manifest("<dict/>", origin: remote).title == "Old Harbour")
        #expect(try Reading.manifest("<dict/>", origin: .standardInput(directory: "/")).title == nil)
    }
}
