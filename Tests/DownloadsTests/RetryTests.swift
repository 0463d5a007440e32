internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("What may pass is tried again, and nothing else", .timeLimit(.minutes(1)))
struct RetryTests {
    /// Fails so often, and then serves.
    private func server(
        failing count: Int, _ fail: @escaping @Sendable (ScriptedConnection, Int) throws -> Void
    ) throws -> ScriptedServer {
        let failures = Observed(0)
        return try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                let number = failures.update { failures in
                    failures += 1
                    return failures
                }
                guard number <= count else {
                    try connection.send(ScriptedResponse(200, text: "picture of \(request.target)"))
                    continue
                }
                return try fail(connection, number)
            }
        }
    }

    @Test("a status that may pass is tried again", arguments: [408, 425, 429, 500, 502, 503, 504, 599])
    func statuses(status: Int) async throws {
        let server = try server(failing: 2) { connection, _ in try connection.send(ScriptedResponse(status)) }
        let rig = try Rig(.roomy { $0.retries = 3 })
        #expect(await rig.fetch(server.url()).known != nil)
        #expect(server.targets.count == 3 && rig.downloader.statistics.retries == 2)
    }

    @Test("a conversation that breaks off is tried again, wherever it broke")
    func interruptions() async throws {
        let beginnings = ["", "HTTP/1.1 200 OK\r\nConte", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf"]
        let server = try server(failing: 3) { connection, number in
            try connection.send(beginnings[number - 1])
            connection.reset()
        }
        let rig = try Rig(.roomy { $0.retries = 3 })
        let known = try #require(await rig.fetch(server.url()).known)
        #expect(try rig.content(of: known.original) == "picture of /photo.jpg")
        #expect(try rig.temporaryFiles.isEmpty)
    }

    @Test("a TLS handshake that is hung up on, or reset, is tried again", arguments: [false, true])
    func handshakes(isReset: Bool) async throws {
        let server = try ScriptedServer { connection in
            // To close with the greeting unread is to reset; without waiting for it, it is to hang up.
            if isReset { try connection.pause(.seconds(20)) }
        }
        let rig = try Rig(.roomy { $0.retries = 2 })
        #expect(await rig.fetch(server.url(scheme: "https")) == .failed(.interrupted))
        #expect(server.log.value.connections == 3)
    }

    @Test("a stall is tried again")
    func stall() async throws {
        let server = try server(failing: 1) { connection, _ in connection.waitForClose() }
        let rig = try Rig(
            .roomy {
                $0.retries = 1
                $0.stallTimeout = .milliseconds(200)
            })
        #expect(await rig.fetch(server.url()).known != nil)
    }

    @Test("what cannot pass is asked once", arguments: [204, 206, 302, 304, 400, 401, 403, 404, 410, 418, 451])
    func permanentStatuses(status: Int) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(status, ["Retry-After: 0"]) }
        let rig = try Rig(.roomy { $0.retries = 3 })
        guard case .failed = await rig.fetch(server.url()) else {
            Issue.record("status \(status) is no failure")
            return
        }
        #expect(server.targets.count == 1)
    }

    @Test("a host without TLS, an empty picture, a forbidden redirect and one too many are not tried again")
    func permanentFailures() async throws {
        let server = try ScriptedServer { request in
            switch request.target {
            case "/empty": ScriptedResponse(200)
            case "/file": ScriptedResponse(302, ["Location: file:///etc/passwd"])
            case "/private": ScriptedResponse(302, ["Location: http://localhost/"])
            case "/large": ScriptedResponse(200, text: String(repeating: "x", count: 1001))
            default: ScriptedResponse(302, ["Location: /loop"])
            }
        }
        let rig = try Rig(
            .roomy {
                $0.retries = 3
                $0.maxBytes = 1000
            })
        for path in ["/empty", "/file", "/private", "/large", "/loop"] { _ = await rig.fetch(server.url(path)) }
        let plain = try ScriptedServer { connection in
            try connection.send("HTTP/1.1 400 Plain\r\n\r\n")
            connection.waitForClose()
        }
        _ = await rig.fetch(plain.url(scheme: "https"))
        #expect(rig.downloader.statistics.retries == 0)
    }

    @Test("the waits grow twofold up to half a minute, and are random as a whole")
    func backoff() async throws {
        let limits = Collected<Duration>()
        let server = try ScriptedServer { _ in ScriptedResponse(503) }
        let rig = try Rig(
            .roomy { $0.retries = 8 },
            jitter: { limit in
                limits.add(limit)
                return .zero
            })
        #expect(await rig.fetch(server.url()) == .failed(.httpStatus(503)))
        #expect(server.targets.count == 9)
        #expect(limits.all == [0.5, 1, 2, 4, 8, 16, 30, 30].map { Duration.seconds($0) })
        for _ in 0..<1000 { #expect((.zero ... .seconds(3)).contains(Backoff.fullJitter(.seconds(3)))) }
    }

    @Test("while one waits to be tried again, others take its place")
    func noSlotHeld() async throws {
        let server = try ScriptedServer { request in
            request.target == "/bad" ? ScriptedResponse(503) : ScriptedResponse(200, text: "picture")
        }
        let rig = try Rig(
            .roomy {
                $0.retries = 1
                $0.total = 1
            }, jitter: { _ in .seconds(3600) })
        let waiting = rig.start(server.url("/bad"))
        #expect(await rig.fetch(server.url("/good")).known != nil)
        #expect(waiting.answers.value.isEmpty && server.targets == ["/bad", "/good"])
        waiting.ticket.cancel()
        #expect(await waiting.outcome == .cancelled)
    }

    @Test("one who waits to be tried again can be cancelled at once", arguments: ["ticket", "all", "shutdown"])
    func cancellation(way: String) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(503) }
        let hasFailed = Observed(false)
        let rig = try Rig(
            .roomy { $0.retries = 1 },
            jitter: { _ in
                hasFailed.update { $0 = true }
                return .seconds(3600)
            })
        let waiting = rig.start(server.url())
        await hasFailed.wait { $0 }
        // An hour is to be waited: any answer within the time of this test is one to the cancellation.
        switch way {
        case "ticket": waiting.ticket.cancel()
        case "all": rig.downloader.cancelAll()
        default: rig.downloader.shutdown()
        }
        #expect(await waiting.outcome == .cancelled)
        rig.downloader.shutdown()
    }

    @Test("a host that nobody can reach is left alone after a few failures, and the others are not")
    func deadHost() async throws {
        let dead = try RefusingPort()
        let alive = try ScriptedServer { request in ScriptedResponse(200, text: request.target) }
        let rig = try Rig(
            .roomy {
                $0.retries = 3
                $0.perHost = 4
            })
        let lost = (0..<100).map { rig.start(dead.url("/\($0)")) }
        for one in lost { #expect(await one.outcome == .failed(.connect(host: "127.0.0.1"))) }
        let tries = rig.downloader.statistics.transfers
        #expect(tries >= 5 && tries <= 24)
        #expect(await rig.fetch(dead.url("/later")) == .failed(.connect(host: "127.0.0.1")))
        #expect(rig.downloader.statistics.transfers == tries)
        #expect(await rig.fetch(alive.url()).known != nil)
    }

    @Test("a host that takes connections and never says a word is left alone as well", arguments: [true, false])
    func silentHost(hangsUp: Bool) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            if !hangsUp { connection.waitForClose() }
        }
        let rig = try Rig(
            .roomy {
                $0.retries = 3
                $0.perHost = 4
                $0.stallTimeout = .milliseconds(100)
            })
        let reason = hangsUp ? Failure.interrupted : .stalled(seconds: 0.1)
        let lost = (0..<100).map { rig.start(server.url("/\($0)")) }
        for one in lost { #expect(await one.outcome == .failed(reason)) }
        let tries = rig.downloader.statistics.transfers
        #expect(tries >= 5 && tries <= 24)
        #expect(await rig.fetch(server.url("/later")) == .failed(reason))
        #expect(rig.downloader.statistics.transfers == tries)
    }

    @Test("where one connection is for all, and never stands, each that is tried in vain counts")
    func silentHandshakes() async throws {
        let server = try ScriptedServer { connection in connection.waitForClose() }
        let rig = try Rig(
            .roomy {
                $0.retries = 3
                $0.connectTimeout = .milliseconds(200)
            })
        let lost = (0..<40).map { rig.start(server.url("/\($0)", scheme: "https")) }
        for one in lost { #expect(await one.outcome == .failed(.timeout(seconds: 0.2))) }
        #expect(server.log.value.connections <= 16)
    }

    @Test("a host that hangs up on a part of all requests is not, and nobody waits for those")
    func hostThatOftenHangsUp() async throws {
        let number = Observed(0)
        let server = try ScriptedServer { connection in
            while try connection.readRequest() != nil {
                let number = number.update { number in
                    number += 1
                    return number
                }
                guard number % 3 > 0 else { return }
                try connection.send(ScriptedResponse(200, text: "picture"))
            }
        }
        // An hour is to be waited: whoever waited for another one would not end.
        let rig = try Rig(
            .roomy {
                $0.retries = 1
                $0.total = 1
            }, jitter: { _ in .seconds(3600) })
        let photos = (0..<90).map { rig.start(server.url("/\($0)")) }
        await number.wait { $0 >= 90 }
        for one in photos { one.ticket.cancel() }
    }

    @Test("a host that only answers that it cannot is left alone after many such answers", arguments: [429, 503])
    func refusingHost(status: Int) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(status) }
        let rig = try Rig(
            .roomy {
                $0.retries = 3
                $0.perHost = 4
            })
        let lost = (0..<200).map { rig.start(server.url("/\($0)")) }
        for one in lost { #expect(await one.outcome == .failed(.httpStatus(status))) }
        let tries = rig.downloader.statistics.transfers
        #expect(tries >= 20 && tries <= 84)
        #expect(await rig.fetch(server.url("/later")) == .failed(.httpStatus(status)))
        #expect(rig.downloader.statistics.transfers == tries)
    }

    @Test("a row of photos that are broken for good keeps no other from its turn", arguments: [500, 503])
    func partlyRefusingHost(status: Int) async throws {
        let server = try ScriptedServer { request in
            request.target.hasPrefix("/bad") ? ScriptedResponse(status) : ScriptedResponse(200, text: "picture")
        }
        let rig = try Rig(
            .roomy {
                $0.retries = 3
                $0.perHost = 2
            }, jitter: { _ in .milliseconds(10) })
        let bad = (0..<100).map { rig.start(server.url("/bad/\($0)")) }
        let good = (0..<100).map { rig.start(server.url("/good/\($0)")) }
        for one in good { #expect(await one.outcome?.known != nil) }
        for one in bad { #expect(await one.outcome == .failed(.httpStatus(status))) }
    }

    @Test(
        "a host that serves one at a time loses none of its photos, with whichever status it turns others away",
        arguments: [429, 503])
    func hostAtItsLimit(status: Int) async throws {
        let beingServed = Observed(0)
        let server = try ScriptedServer { connection in
            while try connection.readRequest() != nil {
                let others = beingServed.update { count in
                    count += 1
                    return count - 1
                }
                defer { beingServed.update { $0 -= 1 } }
                guard others == 0 else {
                    try connection.send(ScriptedResponse(status))
                    continue
                }
                try connection.pause(.milliseconds(10))
                try connection.send(ScriptedResponse(200, text: "picture"))
            }
        }
        let rig = try Rig(
            .roomy {
                $0.retries = 3
                $0.perHost = 6
            }, jitter: { _ in .milliseconds(20) })
        let photos = (0..<100).map { rig.start(server.url("/\($0)")) }
        for one in photos { #expect(await one.outcome?.known != nil) }
        // Five of six are turned away where six are always at it.
        #expect(rig.downloader.statistics.transfers < 300)
    }

    @Test(
        "429 in a row makes the pauses of the host longer, whichever photo gets it", arguments: ["", "Retry-After: 0"])
    func longerPauses(field: String) async throws {
        let limits = Observed<[Duration]>([])
        let server = try ScriptedServer { _ in ScriptedResponse(429, field.isEmpty ? [] : [field]) }
        let rig = try Rig(
            .roomy {
                $0.retries = 3
                $0.total = 1
            },
            jitter: { limit in
                limits.update { $0.append(limit) }
                return .zero
            })
        let photos = (0..<20).map { rig.start(server.url("/\($0)")) }
        for one in photos { #expect(await one.outcome == .failed(.httpStatus(429))) }
        #expect(limits.value.contains(.seconds(4)))
        #expect(server.targets.count <= 84)
    }

    @Test("a host that is sending a photo is there, however many others it refuses meanwhile", arguments: [408, 500])
    func refusingWhileServing(status: Int) async throws {
        let refused = Observed(0)
        let isSending = Observed(false)
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                if request.target.hasPrefix("/bad") {
                    while !isSending.value { try connection.pause(.milliseconds(1)) }
                    try connection.send(ScriptedResponse(status))
                    refused.update { $0 += 1 }
                    continue
                }
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\npic")
                isSending.update { $0 = true }
                while request.target == "/large", refused.value < 40 { try connection.pause(.milliseconds(1)) }
                try connection.send("ture")
            }
        }
        let rig = try Rig(.roomy { $0.perHost = 2 })
        let large = rig.start(server.url("/large"))
        let bad = (0..<50).map { rig.start(server.url("/bad/\($0)")) }
        let late = rig.start(server.url("/late"))
        #expect(await large.outcome?.known != nil)
        #expect(await late.outcome?.known != nil)
        for one in bad { #expect(await one.outcome == .failed(.httpStatus(status))) }
    }

    @Test("any other answer ends a row of them, one of a host that was redirected to as well", arguments: [404, 302])
    func rowThatEnds(status: Int) async throws {
        let busy = try ScriptedServer { _ in ScriptedResponse(503) }
        let target = busy.url("/x")
        let server = try ScriptedServer { request in
            let isOther = request.target.hasSuffix("9")
            return isOther
                ? ScriptedResponse(status, status == 302 ? ["Location: \(target)"] : []) : ScriptedResponse(503)
        }
        let rig = try Rig(.roomy { $0.total = 1 })
        for number in 0..<50 { _ = await rig.fetch(server.url("/\(number)")) }
        #expect(server.targets.count == 50)
    }

    @Test("failures that run side by side are one failure of the host")
    func volley() async throws {
        let port = try UnansweringPort()
        let rig = try Rig(
            .roomy {
                $0.connectTimeout = .milliseconds(300)
                $0.perHost = 16
            })
        let lost = (0..<16).map { rig.start("http://127.0.0.1:\(port.port)/\($0)") }
        for one in lost { #expect(await one.outcome == .failed(.timeout(seconds: 0.3))) }
        #expect(rig.downloader.statistics.transfers == 16)
        _ = await rig.fetch("http://127.0.0.1:\(port.port)/later")
        #expect(rig.downloader.statistics.transfers == 17)
    }

    @Test("a host that answers, be it with errors or with redirects into nowhere, is asked for each of its photos")
    func answeringHost() async throws {
        let dead = try RefusingPort()
        let target = dead.url("/x")
        let server = try ScriptedServer { request in
            switch request.target.dropFirst().first {
            case "1": ScriptedResponse(503)
            case "2": ScriptedResponse(302, ["Location: \(target)"])
            default: ScriptedResponse(200, text: "picture")
            }
        }
        let rig = try Rig()
        for number in 0..<10 {
            _ = await rig.fetch(server.url("/1\(number)"))
            _ = await rig.fetch(server.url("/2\(number)"))
        }
        #expect(await rig.fetch(server.url("/3")).known != nil)
        #expect(server.targets.count == 21)
    }
}
