internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("Pauses, parallel transfers and requests depend on how a host behaves", .timeLimit(.minutes(1)))
struct HostTests {
    @Test("An unreachable host is given up after a few failures, and other hosts are not affected")
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

    @Test("A host that accepts connections and never answers is given up too", arguments: [true, false])
    func silentHost(hangsUp: Bool) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            if !hangsUp { connection.waitForClose() }
        }
        let rig = try Rig(
            .roomy {
                $0.retries = 3
                $0.perHost = 4
                if !hangsUp { $0.stallTimeout = .milliseconds(100) }
            })
        let reason = hangsUp ? Failure.interrupted : .stalled(seconds: 0.1)
        let lost = (0..<100).map { rig.start(server.url("/\($0)")) }
        for one in lost { #expect(await one.outcome == .failed(reason)) }
        let tries = rig.downloader.statistics.transfers
        #expect(tries >= 5 && tries <= 24)
        #expect(await rig.fetch(server.url("/later")) == .failed(reason))
        #expect(rig.downloader.statistics.transfers == tries)
    }

    @Test("If no connection to a host is ever established, every attempt counts as a failure of the host")
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

    @Test("A host that hangs up on some requests is not given up, and its other requests don't wait for the retries")
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
        // A retry waits an hour, so a photo that waited for the retry of another would run into the time limit of the
        // suite.
        let rig = try Rig(
            .roomy {
                $0.retries = 1
                $0.total = 1
            }, jitter: { _ in .seconds(3600) })
        let photos = (0..<90).map { rig.start(server.url("/\($0)")) }
        await number.wait { $0 >= 90 }
        for one in photos { one.handle.cancel() }
    }

    @Test(
        "A host that answers every request with an overload status is given up after many answers",
        arguments: [429, 503])
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

    @Test(
        "Many photos that always fail don't keep the host's other photos from being downloaded", arguments: [500, 503])
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
        "A host that serves one request at a time loses no photo, whichever status it gives the others",
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
        // If all six were always in use, five of six requests would be turned away.
        #expect(rig.downloader.statistics.transfers < 300)
    }

    @Test(
        "Each 429 in a row makes the pause of the host longer, whichever photo gets it",
        arguments: ["", "Retry-After: 0"])
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
        #expect(server.targets.count == 20)
    }

    @Test(
        "A host that is sending a photo is not given up, however many others it refuses meanwhile",
        arguments: [408, 500])
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

    @Test(
        "Any other answer ends a series of failures, and so does the answer of a redirect's target",
        arguments: [404, 302])
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

    @Test("Failures of simultaneous transfers count as one failure of the host")
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

    @Test("A host that answers with some errors or redirects to dead hosts is asked for each of its photos")
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
