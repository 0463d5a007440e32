import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct MultipartUploadTests {
    private let folder = TemporaryFolder()
    private let content = (0..<301_000).map { UInt8(truncatingIfNeeded: $0 / 4_096 ^ $0) }

    private static let begun = ScriptedResponse(
        200, text: "<InitiateMultipartUploadResult><UploadId>id/1</UploadId></InitiateMultipartUploadResult>")
    private static let completed = ScriptedResponse(
        200, text: " \n<?xml version=\"1.0\"?><CompleteMultipartUploadResult/>")

    /// - Parameter completion: the answers to the last request of an upload, in turn.
    private static func server(_ completion: [ScriptedResponse]) throws -> ScriptedStore {
        let completions = Collected<Int>()
        return try ScriptedStore { _, exchange in
            let target = exchange.request.target
            switch exchange.request.method {
            case "HEAD": return .notFound
            case "PUT": return ScriptedResponse(200, ["ETag: \"\(target.suffix(30).first { $0.isNumber } ?? "?")&\""])
            case "DELETE": return ScriptedResponse(204)
            default:
                if target.hasSuffix("?uploads=") { return begun }
                completions.add(1)
                return completion[completions.all.count - 1]
            }
        }
    }

    private func create(
        _ server: ScriptedStore, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> Bool {
        let file = try folder.write(content, to: "file")
        var sizes = UploadSizes()
        (sizes.maxBytesInOneRequest, sizes.part) = (1_000, 300_000)
        return try server.store(isCancelled: isCancelled, sizes: sizes).create("originals/a", fromFileAt: file)
    }

    @Test("A large file is sent in parts, and appears when all have arrived")
    func parts() throws {
        let server = try Self.server([Self.completed])
        #expect(try create(server))
        let parts = server.all.filter { $0.request.method == "PUT" }
        #expect(parts.flatMap(\.body) == content && parts.map(\.body.count) == [300_000, 1_000])
        #expect(
            parts.map(\.request.target)
                == (1...2).map { "/bucket/p/originals/a?partNumber=\($0)&uploadId=id%2F1" })
        let last = try #require(server.all.last)
        #expect(last.line == "POST /bucket/p/originals/a?uploadId=id%2F1")
        #expect(last.request.headers["if-none-match"] == "*")
        let listed = String(decoding: last.body, as: UTF8.self)
        #expect(listed.contains("<Part><PartNumber>1</PartNumber><ETag>\"1&amp;\"</ETag></Part><Part><PartNumber>2<"))
        #expect(server.all[1].request.headers["content-type"] == "application/octet-stream")
    }

    @Test("An error in an answer with the status 200 is noticed, and the request repeated")
    func errorInSuccess() throws {
        let error = ScriptedResponse(200, text: "\n<Error><Code>InternalError</Code></Error>")
        let server = try Self.server([error, Self.completed])
        #expect(try create(server))
        #expect(server.lines.filter { $0.hasPrefix("POST") }.count == 3)
    }

    @Test("An upload that another one has disturbed begins again, and its parts are removed")
    func conflict() throws {
        let server = try Self.server([.error(409, "ConditionalRequestConflict"), Self.completed])
        #expect(try create(server))
        let kinds = server.lines.map { $0.prefix { $0 != " " } }
        #expect(kinds == ["HEAD", "POST", "PUT", "PUT", "POST", "DELETE", "POST", "PUT", "PUT", "POST"])
    }

    @Test("The object of another upload stays, and the parts of this one are removed")
    func exists() throws {
        let server = try Self.server([.preconditionFailed])
        #expect(try !create(server))
        #expect(server.lines.last == "DELETE /bucket/p/originals/a?uploadId=id%2F1")
    }

    @Test("The parts of an upload that fails are removed")
    func failure() throws {
        let server = try Self.server([.error(403, "AccessDenied")])
        #expect(throws: ObjectStoreError.refused(status: 403, code: "AccessDenied", message: "why")) {
            try create(server)
        }
        #expect(server.lines.last == "DELETE /bucket/p/originals/a?uploadId=id%2F1")
    }

    @Test("The parts of an upload that is cancelled are removed")
    func cancelled() throws {
        let isCancelled = Observed(false)
        let server = try ScriptedStore { _, exchange in
            switch exchange.request.method {
            case "HEAD": return .notFound
            case "POST": return Self.begun
            case "PUT":
                isCancelled.update { $0 = true }
                return ScriptedResponse(200, ["ETag: \"1\""])
            default: return ScriptedResponse(204)
            }
        }
        #expect(throws: ObjectStoreError.interrupted) {
            try create(server, isCancelled: { isCancelled.value })
        }
        #expect(server.lines.last == "DELETE /bucket/p/originals/a?uploadId=id%2F1")
    }

    @Test("A file has at most 10,000 parts")
    func partSizes() {
        #expect(UploadSizes().part(ofFileWith: 100 << 20) == 16 << 20)
        #expect(UploadSizes().part(ofFileWith: 1 << 40) * 10_000 >= 1 << 40)
    }

    @Test("A file that exists in the store is not sent")
    func present() throws {
        let server = try ScriptedStore { _, _ in .ok }
        #expect(try !create(server))
        #expect(server.lines == ["HEAD /bucket/p/originals/a"])
    }
}
