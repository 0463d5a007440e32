import Foundation
import PhotoModel
import Site
import Testing

@Suite("status.json")
struct StatusTests {
    @Test("status.json has exactly the keys of schema 1, in their order")
    func schema() {
        var photo = Sample.photo("A \"b\" \\ /", slug: "a", album: ["X"])
        photo.images = [SiteImage(width: 320, height: 213, path: "images/0123456789abcdef-320.jpg", bytes: 13_167)]
        photo.original = nil
        photo.sha256 = nil
        photo.stale = Stale(since: Sample.updated, reason: Reason(code: .timeout, message: "Too long."))
        photo.marks = [.frozen(since: Sample.updated, expectedWithin: 86_400)]
        let json = String(decoding: statusJSON(Sample.content([photo, Sample.failed("B")])), as: UTF8.self)
        let expected = #"""
            {"schema":1,"generator":"gallerygen 1.0.0","title":"Our photos","updated":"2026-01-02T03:04:05Z",\#
            "counts":{"new":0,"downloaded":0,"filtered":1,"failed":1,"stale":1},"photos":[
            {"name":"A \"b\" \\ /","slug":"a","album":["X"],"source":"samples/a \"b\" \\ /.jpg","state":"filtered",\#
            "reason":null,"since":"2025-12-29T09:20:00Z",\#
            "stale":{"since":"2026-01-02T03:04:05Z","code":"timeout","message":"Too long."},\#
            "marks":[{"code":"frozen","since":"2026-01-02T03:04:05Z",\#
            "message":"The picture was expected to change within 24 h, but is still the same."}],\#
            "width":1800,"height":1200,\#
            "images":[{"width":320,"height":213,"path":"images/0123456789abcdef-320.jpg","bytes":13167}],\#
            "original":null,"page":"photo/a.html","sha256":null},
            {"name":"B","slug":"b","album":[],"source":"https://example.org/b.jpg","state":"failed",\#
            "reason":{"code":"not-found","message":"Not found: the server has nothing at this address (status 404)."},\#
            "since":"2025-12-30T13:06:40Z","stale":null,"marks":[],"width":null,"height":null,"images":[],\#
            "original":null,"page":"photo/b.html","sha256":null}
            ]}

            """#
        #expect(json == expected)
    }

    @Test("A picture that exists as WebP too has its path after the other keys")
    func webp() {
        let json = String(decoding: statusJSON(Sample.content([Sample.photoWithWebP("A")])), as: UTF8.self)
        let original = Sample.photoWithWebP("A").original
        let (path, webp) = (original?.path ?? "", original?.webp?.path ?? "")
        let expected = #"""
            "original":{"width":1600,"height":1066,"path":"\#(path)","bytes":160000,\#
            "webp":{"path":"\#(webp)","bytes":120000}}
            """#
        #expect(json.contains(expected))
        #expect(json.components(separatedBy: #""webp":{"#).count == 5)
    }

    @Test("With extras each photo has attempts, checked, etag and moved, even if their values are unknown")
    func extras() {
        let extras = [
            "a": StatusExtras(
                attempts: 3, checked: Sample.updated, etag: "\"x\"", moved: "https://example.org/a.jpg")
        ]
        let json = String(
            decoding: statusJSON(Sample.content([Sample.photo("A"), Sample.photo("B")]), extras: extras), as: UTF8.self)
        let moved = #""moved":"https://example.org/a.jpg""#
        #expect(json.contains(#","attempts":3,"checked":"2026-01-02T03:04:05Z","etag":"\"x\"",\#(moved)},"#))
        #expect(json.contains(#","attempts":0,"checked":null,"etag":null,"moved":null}"#))
    }

    @Test(
        "Any JSON reader gets back every character of every name",
        arguments: Sample.hostileNames + ["\u{2028}", "👩‍👩‍👧"])
    func names(name: String) throws {
        struct Status: Decodable {
            struct Photo: Decodable {
                let name: String
                let album: [String]
            }
            let title: String
            let photos: [Photo]
        }
        var settings = Sample.settings
        settings.title = name
        let json = statusJSON(Sample.content([Sample.photo(name, slug: "a", album: [name])], settings: settings))
        let status = try JSONDecoder().decode(Status.self, from: Data(json))
        #expect(status.title == name)
        #expect(status.photos.map(\.name) == [name])
        #expect(status.photos.map(\.album) == [[name]])
    }

    @Test("Without a photo it is still valid JSON")
    func empty() throws {
        let status = try JSONSerialization.jsonObject(with: Data(statusJSON(Sample.content([])))) as? [String: Any]
        #expect((status?["photos"] as? [Any])?.isEmpty == true)
    }
}
