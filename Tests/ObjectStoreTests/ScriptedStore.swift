import Foundation
import Synchronization
import TestSupport

@testable import ObjectStore

/// A scripted S3 server, and the stores of its bucket.
final class ScriptedStore: Sendable {
    struct Exchange: Sendable {
        let request: ScriptedRequest
        let body: [UInt8]

        /// "PUT /bucket/key".
        var line: String { "\(request.method) \(request.target)" }
    }

    let server: ScriptedServer
    private let exchanges = Collected<Exchange>()

    /// - Parameter answer: the answer to a request with a number from 0; nil to close the connection.
    init(answer: @escaping @Sendable (Int, Exchange) -> ScriptedResponse?) throws {
        let exchanges = exchanges
        server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                let exchange = Exchange(request: request, body: connection.readBody(of: request))
                let number = exchanges.all.count
                exchanges.add(exchange)
                guard let response = answer(number, exchange) else { return connection.reset() }
                // libcurl reads no body of a response to HEAD, whatever its length.
                try connection.send(response)
            }
        }
    }

    var all: [Exchange] { exchanges.all }
    var lines: [String] { all.map(\.line) }

    static let keys = ["AWS_ACCESS_KEY_ID": "AKIA", "AWS_SECRET_ACCESS_KEY": "secret"]

    func configuration(_ environment: [String: String] = keys) throws -> S3Configuration {
        try S3Configuration(environment: environment, home: nil, endpoint: server.url(""))
    }

    func store(
        _ configuration: S3Configuration? = nil, isCancelled: @escaping @Sendable () -> Bool = { false },
        now: @escaping @Sendable () -> Date = { Date() }, sizes: UploadSizes = UploadSizes()
    ) throws -> S3Store {
        S3Store(
            bucket: "bucket", prefix: "p", configuration: try configuration ?? self.configuration(),
            isCancelled: isCancelled, now: now, sizes: sizes)
    }
}

extension ScriptedResponse {
    static let notFound = ScriptedResponse(404)
    static let preconditionFailed = ScriptedResponse(412, text: "<Error><Code>PreconditionFailed</Code></Error>")
    static let ok = ScriptedResponse(200)

    static func error(_ status: Int, _ code: String, _ headers: [String] = []) -> ScriptedResponse {
        ScriptedResponse(status, headers, text: "<Error><Code>\(code)</Code><Message>why</Message></Error>")
    }
}
