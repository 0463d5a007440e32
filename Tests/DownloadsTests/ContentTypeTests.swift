internal import Downloads
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("What a server says of the type of an original", .timeLimit(.minutes(1)))
struct ContentTypeTests {
    private var options: FetchOptions {
        var options = Rig.options
        options.reportsContentType = true
        return options
    }

    @Test("The Content-Type of the final response is reported on request")
    func final() async throws {
        let server = try ScriptedServer { request in
            switch request.target {
            case "/start": ScriptedResponse(302, ["Location: /list", "Content-Type: text/html; charset=utf-8"])
            case "/list": ScriptedResponse(200, ["content-type:  text/csv;charset=sjis "], text: "list")
            default: ScriptedResponse(200, text: "list")
            }
        }
        let rig = try Rig(options: options)
        #expect(await rig.fetch(server.url("/start")).known?.contentType == "text/csv;charset=sjis")
        #expect(await rig.fetch(server.url("/other")).known?.contentType == nil)
        #expect(try await Rig().fetch(server.url("/list")).known?.contentType == nil)
    }

    @Test(
        "The rest of an original needs no type of its own: that of the first response counts",
        arguments: [[], ["Content-Type: application/octet-stream"]])
    func resumed(ofRest: [String]) async throws {
        let list = "https://example.org/a.jpg"
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                guard request.headers["range"] == nil else {
                    let range = "Content-Range: bytes 10-\(list.count - 1)/\(list.count)"
                    try connection.send(
                        ScriptedResponse(206, ["ETag: \"v1\"", range] + ofRest, text: String(list.dropFirst(10))))
                    continue
                }
                let head = [
                    "HTTP/1.1 200 OK", "Content-Length: \(list.count)", "ETag: \"v1\"",
                    "Content-Type: text/plain; charset=Shift_JIS",
                ]
                try connection.send(head.joined(separator: "\r\n") + "\r\n\r\n" + list.prefix(10))
                return
            }
        }
        let rig = try Rig(.roomy { $0.retries = 1 }, options: options)
        let known = try #require(await rig.fetch(server.url()).known)
        #expect(try rig.content(of: known.original) == list)
        #expect(known.contentType == "text/plain; charset=Shift_JIS")
        #expect(server.log.value.requests.count == 2)
    }
}
