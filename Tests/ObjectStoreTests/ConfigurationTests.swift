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
        #expect(one.accessKey == "ONE" && one.secretKey == "one" && one.region == "eu-west-1" && one.endpoint == nil)
        let two = try S3Configuration(environment: ["AWS_PROFILE": "club"], home: home.path)
        #expect(two.accessKey == "TWO" && two.secretKey == "two=2" && two.sessionToken == "token")
        #expect(two.region == "auto" && two.endpoint == "https://r2.example.org")
        let three = try Self.configuration(["AWS_REGION": "us-west-2"], home: home.path)
        #expect(three.accessKey == "AKIA" && three.sessionToken == nil && three.region == "us-west-2")
    }

    @Test("Without credentials, and with some that would break a header, nothing is asked")
    func refused() {
        #expect(throws: ObjectStoreError.noCredentials) { try S3Configuration(environment: [:], home: nil) }
        #expect(throws: ObjectStoreError.self) { try Self.configuration(["AWS_SESSION_TOKEN": "a\r\nX: y"]) }
        #expect(throws: ObjectStoreError.self) { try Self.configuration(["AWS_REGION": "us:east"]) }
    }
}
