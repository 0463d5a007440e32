import TestSupport
import Testing

@testable import ObjectStore

@Suite struct ConfigurationTests {
    private static let keys = ["AWS_ACCESS_KEY_ID": "AKIA", "AWS_SECRET_ACCESS_KEY": "secret/+="]

    private static func configuration(_ more: [String: String], home: String? = nil) throws -> S3Configuration {
        try S3Configuration(environment: keys.merging(more) { $1 }, home: home)
    }

    @Test("A bucket of AWS is in the host name, unless its name has dots")
    func addresses() throws {
        let configuration = try Self.configuration(["AWS_REGION": "eu-central-1"])
        #expect(configuration.address(ofBucket: "photos") == "https://photos.s3.eu-central-1.amazonaws.com")
        #expect(
            configuration.address(ofBucket: "photos.example.org")
                == "https://s3.eu-central-1.amazonaws.com/photos.example.org")
        #expect(try Self.configuration([:]).address(ofBucket: "a-b") == "https://a-b.s3.us-east-1.amazonaws.com")
    }

    @Test("A bucket of another store is in the path")
    func endpoint() throws {
        let configuration = try Self.configuration(["AWS_ENDPOINT_URL": "http://127.0.0.1:9000/"])
        #expect(configuration.address(ofBucket: "photos") == "http://127.0.0.1:9000/photos")
        #expect(throws: ObjectStoreError.self) { try Self.configuration(["AWS_ENDPOINT_URL": "ftp://x"]) }
        #expect(throws: ObjectStoreError.self) { try Self.configuration(["AWS_ENDPOINT_URL": "https://a:b@x"]) }
    }

    @Test("Credentials, region and endpoint come from the profile where the variables do not say")
    func profiles() throws {
        let home = TemporaryFolder()
        try home.write(
            """
            # a comment
            [default]
            aws_access_key_id = ONE
            aws_secret_access_key=one
            [club]
            aws_access_key_id = TWO
            aws_secret_access_key = two=2
            aws_session_token = token

            """, to: ".aws/credentials")
        try home.write(
            """
            [default]
            region = eu-west-1
            [profile club]
            region = auto
            endpoint_url = https://r2.example.org
            s3 =
              addressing_style = path

            """, to: ".aws/config")
        let one = try S3Configuration(environment: [:], home: home.path)
        #expect(one.keys == Credentials(accessKey: "ONE", secretKey: "one"))
        #expect(one.region == "eu-west-1" && one.endpoint == nil)
        let two = try S3Configuration(environment: ["AWS_PROFILE": "club"], home: home.path)
        #expect(two.keys == Credentials(accessKey: "TWO", secretKey: "two=2", sessionToken: "token"))
        #expect(two.region == "auto" && two.endpoint == "https://r2.example.org")
        let three = try Self.configuration(["AWS_REGION": "us-west-2"], home: home.path)
        #expect(three.keys?.accessKey == "AKIA" && three.keys?.sessionToken == nil && three.region == "us-west-2")
    }

    @Test("An endpoint and a region that are given take precedence")
    func given() throws {
        let environment = Self.keys.merging(["AWS_ENDPOINT_URL": "http://a", "AWS_REGION": "a"]) { $1 }
        let configuration = try S3Configuration(
            environment: environment, home: nil, endpoint: "https://b:9000/", region: "b")
        #expect(configuration.endpoint == "https://b:9000" && configuration.region == "b")
    }

    @Test("A web identity comes before a profile and after keys in variables")
    func webIdentity() throws {
        let home = TemporaryFolder()
        try home.write("[default]\naws_access_key_id = ONE\naws_secret_access_key=one\n", to: ".aws/credentials")
        let role = ["AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "arn:aws:iam::1:role/a"]
        let configuration = try S3Configuration(
            environment: role.merging(["AWS_REGION": "cn-north-1"]) { $1 }, home: home.path)
        guard case .webIdentity(let identity) = configuration.credentials else {
            Issue.record("no web identity")
            return
        }
        #expect(
            identity
                == WebIdentity(
                    tokenFile: "/token", role: "arn:aws:iam::1:role/a", sessionName: "gallerygen",
                    endpoint: "https://sts.cn-north-1.amazonaws.com.cn", certificates: nil))
        #expect(try Self.configuration(role, home: home.path).keys?.accessKey == "AKIA")
    }

    @Test("Without credentials, and with some that would break a header, nothing is asked")
    func refused() {
        #expect(throws: ObjectStoreError.noCredentials) { try S3Configuration(environment: [:], home: nil) }
        #expect(throws: ObjectStoreError.self) { try Self.configuration(["AWS_SESSION_TOKEN": "a\r\nX: y"]) }
        #expect(throws: ObjectStoreError.self) { try Self.configuration(["AWS_REGION": "us:east"]) }
    }
}

extension S3Configuration {
    /// The keys that do not end.
    fileprivate var keys: Credentials? { if case .fixed(let credentials) = credentials { credentials } else { nil } }
}
