import Foundation
import Testing

@testable import ObjectStore

/// The examples of the documentation of Amazon S3 ("Signature Calculations for the Authorization Header") and of the
/// test suite of Signature Version 4.
@Suite struct SignatureTests {
    private static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private static func signature(
        _ method: String, _ path: String, query: String = "", headers: [(name: String, value: String)] = [],
        bodyDigest: String = emptyDigest
    ) throws -> String {
        let signer = RequestSigner(
            credentials: Credentials(
                accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1", service: "s3")
        let subject = RequestSigner.Subject(
            method: method, host: "examplebucket.s3.amazonaws.com", path: path, query: query, headers: headers,
            bodyDigest: bodyDigest)
        // 2013-05-24T00:00:00Z
        let signed = signer.headers(for: subject, at: Date(timeIntervalSince1970: 1_369_353_600))
        return try #require(signed.first { $0.name == "Authorization" }?.value)
    }

    @Test("A request for an object is signed as in the documentation of S3")
    func getObject() throws {
        #expect(
            try Self.signature("GET", "/test.txt", headers: [("Range", "bytes=0-9")])
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test("An object that is written is signed as in the documentation of S3")
    func putObject() throws {
        let request = S3Request(method: "PUT", key: "test$file.text", body: .bytes(Array("Welcome to Amazon S3.".utf8)))
        let headers = [
            (name: "Date", value: "Fri, 24 May 2013 00:00:00 GMT"),
            (name: "x-amz-storage-class", value: "REDUCED_REDUNDANCY"),
        ]
        let authorization = try Self.signature(
            "PUT", request.path, headers: headers, bodyDigest: "\(request.body.digest)")
        #expect(
            authorization.hasSuffix("Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
    }

    @Test("Requests to a bucket are signed as in the documentation of S3")
    func bucket() throws {
        let lifecycle = S3Request(method: "GET", query: ["lifecycle": ""])
        #expect(
            try Self.signature("GET", lifecycle.path, query: lifecycle.canonicalQuery)
                .hasSuffix("Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"))
        let list = S3Request(method: "GET", query: ["prefix": "J", "max-keys": "2"])
        #expect(
            try Self.signature("GET", list.path, query: list.canonicalQuery)
                .hasSuffix("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"))
    }

    @Test(
        "Requests are signed as in the test suite of Signature Version 4",
        arguments: [
            ("GET", "", [], "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
            ("POST", "", [], "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
            (
                "GET", "Param1=value1&Param2=value2", [],
                "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
            ),
            (
                "GET", "", [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
                "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"
            ),
        ] as [(String, String, [(String, String)], String)])
    func suite(method: String, query: String, headers: [(String, String)], signature: String) {
        let signer = RequestSigner(
            credentials: Credentials(
                accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1", service: "service")
        let subject = RequestSigner.Subject(
            method: method, host: "example.amazonaws.com", path: "/", query: query, headers: [],
            bodyDigest: Self.emptyDigest)
        let time = "20150830T123600Z"
        let all = headers.map { (name: $0.0, value: $0.1) } + [(name: "X-Amz-Date", value: time)]
        #expect(signer.authorization(subject, all, time).hasSuffix("Signature=" + signature))
    }

    @Test("A session token is sent and signed")
    func sessionToken() {
        let signer = RequestSigner(
            credentials: Credentials(accessKey: "A", secretKey: "b", sessionToken: "token"), region: "r", service: "s3")
        let subject = RequestSigner.Subject(
            method: "GET", host: "h", path: "/", query: "", headers: [], bodyDigest: Self.emptyDigest)
        let headers = signer.headers(for: subject, at: Date(timeIntervalSince1970: 951_782_399))
        #expect(headers.contains { $0 == ("x-amz-security-token", "token") })
        #expect(headers.contains { $0 == ("x-amz-date", "20000228T235959Z") })
        #expect(
            headers.last?.value.contains("host;x-amz-content-sha256;x-amz-date;x-amz-security-token") == true)
    }
}
