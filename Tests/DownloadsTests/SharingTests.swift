internal import Downloads
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("Many fetches share transfers, connections and time fairly", .timeLimit(.minutes(1)))
struct SharingTests {
    @Test("Fifty photos of one address cause one request, and all get the same outcome")
    func oneTransferPerAddress() async throws {
        let gate = Gate()
        let server = try ScriptedServer { _ in
            gate.wait()
            return ScriptedResponse(200, text: "picture")
        }
        let rig = try Rig()
        // A fragment is never sent to a server, so these are one address.
        let started = (0..<50).map { rig.start(server.url("/photo.jpg#\($0)")) }
        gate.open()
        var outcomes: [FetchOutcome?] = []
        for one in started { outcomes.append(await one.outcome) }
        #expect(outcomes.allSatisfy { $0 == outcomes[0] && $0?.known != nil })
        #expect(await rig.fetch(server.url()) == outcomes[0])
        #expect(server.targets.count == 1)
    }

    @Test("A failure is shared like a success")
    func sharedFailure() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(404) }
        let rig = try Rig()
        for _ in 0..<3 { #expect(await rig.fetch(server.url()) == .failed(.notFound(status: 404))) }
        #expect(server.targets.count == 1)
    }

    @Test(
        "The number of simultaneous transfers never exceeds the limits per host and in total",
        arguments: [(3, 8), (8, 3)])
    func limits(total: Int, perHost: Int) async throws {
        let gate = Gate()
        let server = try ScriptedServer { request in
            gate.wait()
            return ScriptedResponse(200, text: request.target)
        }
        let rig = try Rig(
            .roomy {
                $0.total = total
                $0.perHost = perHost
            })
        let started = (0..<20).map { rig.start(server.url("/\($0)")) }
        await server.log.wait { $0.pending == 3 }
        gate.open()
        for one in started { #expect(await one.outcome?.known != nil) }
        #expect(server.log.value.mostPending == 3)
        #expect(server.log.value.connections == 3)
    }

    @Test("A host at its limit does not hold up other hosts")
    func busyHost() async throws {
        let gate = Gate()
        let busy = try ScriptedServer { request in
            gate.wait()
            return ScriptedResponse(200, text: request.target)
        }
        let free = try ScriptedServer { request in ScriptedResponse(200, text: request.target) }
        let rig = try Rig(
            .roomy {
                $0.total = 2
                $0.perHost = 1
            })
        let waiting = (0..<5).map { rig.start(busy.url("/\($0)")) }
        for number in 0..<5 { #expect(await rig.fetch(free.url("/\(number)")).known != nil) }
        #expect(busy.targets == ["/0"])
        gate.open()
        for one in waiting { #expect(await one.outcome?.known != nil) }
    }

    @Test("Requests start in the order in which they were made")
    func order() async throws {
        let server = try ScriptedServer { request in ScriptedResponse(200, text: request.target) }
        let rig = try Rig(.roomy { $0.total = 1 })
        rig.downloader.suspend()
        let started = (0..<200).map { rig.start(server.url("/\($0)")) }
        rig.downloader.resume()
        for one in started { #expect(await one.outcome?.known != nil) }
        #expect(server.targets == (0..<200).map { "/\($0)" })
    }

    @Test("Requests to many hosts start in order too, whichever host has a free transfer first")
    func orderOverHosts() async throws {
        let log = Observed<[String]>([])
        let servers = try (0..<5).map { number in
            try ScriptedServer { request in
                log.update { $0.append("\(number)\(request.target)") }
                return ScriptedResponse(200, text: request.target)
            }
        }
        let rig = try Rig(.roomy { $0.total = 1 })
        rig.downloader.suspend()
        let plan = (0..<100).map { (server: $0 * $0 % 5, path: "/\($0)") }
        let started = plan.map { rig.start(servers[$0.server].url($0.path)) }
        rig.downloader.resume()
        for one in started { #expect(await one.outcome?.known != nil) }
        #expect(log.value == plan.map { "\($0.server)\($0.path)" })
        // An array may be released after its last use, and the servers with it.
        withExtendedLifetime(servers) {}
    }

    @Test("While the downloader is suspended, no request starts")
    func suspended() async throws {
        let server = try ScriptedServer { request in ScriptedResponse(200, text: request.target) }
        let (still, busy) = (try Rig(), try Rig())
        still.downloader.suspend()
        let waiting = still.start(server.url("/still"))
        #expect(await busy.fetch(server.url("/busy")).known != nil)
        #expect(server.targets == ["/busy"])
        still.downloader.resume()
        #expect(await waiting.outcome?.known != nil)
    }

    @Test("A hundred thousand queued requests cost no more each than a few")
    func longQueue() async throws {
        let server = try ScriptedServer { request in ScriptedResponse(200, text: request.target) }
        let rig = try Rig()
        let answered = Observed(0)
        rig.downloader.suspend()
        for number in 0..<100_000 {
            let source = Source(location: .remote("http://host\(number % 1000).invalid/\(number)"), shown: "")
            _ = rig.downloader.fetch(source, known: nil) { outcome in
                if outcome == .cancelled { answered.update { $0 += 1 } }
            }
        }
        rig.downloader.cancelAll()
        rig.downloader.resume()
        await answered.wait { $0 == 100_000 }
        #expect(await rig.fetch(server.url()).known != nil)
    }
}
