import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct WebIdentityTests {
    private let folder = TemporaryFolder()
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// A server that grants credentials for an hour, and has an object for everybody.
    private static func server(_ time: Observed<Date>, refusal: Observed<ScriptedResponse?>) throws -> ScriptedStore {
        try ScriptedStore { number, exchange in
            guard exchange.request.method == "POST" else { return ScriptedResponse(200, text: "object") }
            if let response = refusal.value { return response }
            let end = time.value.addingTimeInterval(3_600).formatted(.iso8601)
            return ScriptedResponse(
                200,
                text: "<AssumeRoleWithWebIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">"
                    + "<AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>KEY\(number)</AccessKeyId>"
                    + "<SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken>"
                    + "<Expiration>\(end)</Expiration></Credentials></AssumeRoleWithWebIdentityResult>"
                    + "</AssumeRoleWithWebIdentityResponse>")
        }
    }

    private func store(_ server: ScriptedStore, _ time: Observed<Date>) throws -> S3Store {
        let environment = [
            "AWS_WEB_IDENTITY_TOKEN_FILE": try folder.write("abc.d+f\n", to: "token"),
            "AWS_ROLE_ARN": "arn:aws:iam::1:role/a", "AWS_ROLE_SESSION_NAME": "worker",
            "AWS_ENDPOINT_URL_STS": server.server.url(""),
        ]
        return try server.store(server.configuration(environment), now: { time.value })
    }

    @Test("Credentials are granted for the token of a file, and are renewed before they end")
    func renewal() throws {
        let (time, refusal) = (Observed(Self.start), Observed<ScriptedResponse?>(nil))
        let server = try Self.server(time, refusal: refusal)
        let store = try store(server, time)
        #expect(try store.read("a") == Array("object".utf8) && store.read("a") != nil)
        time.update { $0 += 3_000 }
        #expect(try store.read("a") != nil)
        time.update { $0 += 400 }
        try folder.write("new", to: "token")
        #expect(try store.read("a") != nil)
        #expect(server.all.map(\.request.method) == ["POST", "GET", "GET", "GET", "POST", "GET"])
        let first = try #require(server.all.first)
        #expect(
            String(decoding: first.body, as: UTF8.self)
                == "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fa"
                + "&RoleSessionName=worker&WebIdentityToken=abc.d%2Bf")
        #expect(first.request.headers["authorization"] == nil && first.request.target == "/")
        #expect(first.request.headers["content-type"] == "application/x-www-form-urlencoded")
        #expect(String(decoding: server.all[4].body, as: UTF8.self).hasSuffix("WebIdentityToken=new"))
        let authorizations = server.all.compactMap { $0.request.headers["authorization"] }
        #expect(authorizations.map { $0.contains("Credential=KEY0/") } == [true, true, true, false])
        #expect(server.all[1].request.headers["x-amz-security-token"] == "token")
    }

    @Test("While credentials are valid, a renewal that fails is no error")
    func failedRenewal() throws {
        let (time, refusal) = (Observed(Self.start), Observed<ScriptedResponse?>(nil))
        let server = try Self.server(time, refusal: refusal)
        let store = try store(server, time)
        #expect(try store.read("a") != nil)
        refusal.update {
            $0 = ScriptedResponse(
                400,
                text: "<ErrorResponse><Error><Code>ExpiredTokenException</Code><Message>old</Message></Error>"
                    + "</ErrorResponse>")
        }
        time.update { $0 += 3_500 }
        #expect(try store.read("a") != nil)
        time.update { $0 += 200 }
        let error = try #require(throws: ObjectStoreError.self) { try store.read("a") }
        #expect(
            error.message
                == "no temporary credentials were granted: the store refused: ExpiredTokenException: old")
    }

    @Test("A token that can't be read is reported with its path")
    func noToken() throws {
        let (time, refusal) = (Observed(Self.start), Observed<ScriptedResponse?>(nil))
        let server = try Self.server(time, refusal: refusal)
        let store = try store(server, time)
        unlink(folder.path + "/token")
        #expect(throws: ObjectStoreError.file(path: folder.path + "/token", errno: ENOENT)) { try store.read("a") }
    }
}
