import Testing

@testable import Preview

/// Which targets of requests name a file.
@Suite("Targets of requests") struct RequestTargetTests {
    @Test("A path is decoded")
    func paths() {
        #expect(RequestTarget.path("/") == "/")
        #expect(RequestTarget.path("/photo/s%C3%A4ule.html") == "/photo/säule.html")
    }

    @Test(
        "Other forms and invalid paths are refused",
        arguments: [
            "", "*", "http://example.org/", "example.org:80", "//", "//example.org/", "/%zz", "/%", "/%ff", "/%00",
            "/../photos.plist", "/images/%2e%2e/x", "/./",
        ])
    func otherForms(target: String) { #expect(RequestTarget.path(target) == nil) }
}
