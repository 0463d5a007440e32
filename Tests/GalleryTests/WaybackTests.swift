import Gallery
import PhotoModel
import Testing

@Suite("The archive of gone pictures") struct WaybackTests {
    private func publicAddress(_ url: String) -> String? {
        Wayback.archive.publicAddress(of: Source(location: .remote(url), shown: ""))
    }

    @Test(
        "Only addresses of public hosts without user, password and query are told to the archive",
        arguments: [
            ("https://example.org/a.jpg", "https://example.org/a.jpg"),
            ("https://example.org/a%20b.jpg#part", "https://example.org/a%20b.jpg"),
            ("https://example.org/a.jpg?key=1", nil), ("https://me@example.org/a.jpg", nil),
            ("https://me:secret@example.org/a.jpg", nil), ("http://192.168.1.2/a.jpg", nil),
            ("http://127.0.0.1/a.jpg", nil), ("http://localhost/a.jpg", nil), ("http://camera/a.jpg", nil),
            ("http://camera.lan/a.jpg", nil), ("http://[::1]/a.jpg", nil),
        ] as [(String, String?)])
    func publicAddresses(url: String, told: String?) {
        #expect(publicAddress(url) == told)
    }

    @Test("A local file is not asked for")
    func files() {
        #expect(Wayback.archive.publicAddress(of: Source(location: .file("/a.jpg"), shown: "a.jpg")) == nil)
    }
}
