import ObjectStore
import Testing

@testable import Publish

@Suite struct TargetAddressTests {
    @Test(
        "What has a colon before any slash is on another machine, everything else a folder",
        arguments: [
            ("/srv/www", TargetAddress.folder("/srv/www")),
            ("public", .folder("public")),
            ("./a:b", .folder("./a:b")),
            ("/srv/a:b", .folder("/srv/a:b")),
            ("example.org:/srv/www/", .rsync(host: "example.org", path: "/srv/www")),
            ("anna@example.org:www/photos", .rsync(host: "anna@example.org", path: "www/photos")),
            ("example.org:~/photos", .rsync(host: "example.org", path: "photos")),
            ("anna@[2001:db8::1]:/srv/www", .rsync(host: "anna@[2001:db8::1]", path: "/srv/www")),
            ("example.org:~/www", .rsync(host: "example.org", path: "www")),
            ("example.org:~//srv/www", .rsync(host: "example.org", path: "srv/www")),
            ("example.org:-photos", .rsync(host: "example.org", path: "-photos")),
            ("s3://my-bucket.example", .bucket("my-bucket.example", prefix: "")),
            ("s3://bucket/a b/c/", .bucket("bucket", prefix: "a b/c")),
            ("example.org:/srv/my photos", .rsync(host: "example.org", path: "/srv/my photos")),
            ("anna@s3:/photos", .rsync(host: "anna@s3", path: "/photos")),
            ("anna@file:www", .rsync(host: "anna@file", path: "www")),
            ("s3.example.org:www", .rsync(host: "s3.example.org", path: "www")),
        ])
    func reading(_ text: String, _ address: TargetAddress) throws {
        #expect(try TargetAddress(text) == address)
    }

    @Test(
        "What ssh could take for an option or a command, and a place that no site should fill, is refused",
        arguments: [
            "", "-oProxyCommand=touch x:/srv", "anna@-oProxyCommand=x:/srv", "@example.org:/srv", "a@b@c:/srv",
            "example.org:", "example.org:/", "example.org:.", "example.org:~", "example.org:~bert/www",
            "example.org:/.", "example.org:./", "example.org:..", "example.org:www/../..", "example.org:~/",
            "example.org:~//", "example.org:/srv/site*", "example.org:site?", "example.org:site[1]",
            "example.org:a\\b",
            "example.org::module/path", "example.org; touch x:/srv", "$(id):/srv", "ftp://example.org/srv",
            "rsync://example.org/srv", "s3://", "s3://Bucket/x", "s3://bucket/../x", "s3://a_b/x", "exam\u{0A}ple:/srv",
        ])
    func refusing(_ text: String) {
        #expect(throws: TargetAddress.Problem.self) { try TargetAddress(text) }
    }

    @Test(
        "A bucket or a folder that looks like a host is refused with the address that was meant",
        arguments: [
            ("s3:bucket", "a bucket is written s3://bucket/prefix"),
            ("s3:/bucket/prefix", "a host named 's3' user@s3:/bucket/prefix"),
            ("S3:bucket", "a bucket is written s3://bucket/prefix"),
            ("file:/srv/www", "write the path of a folder alone"),
            ("file:www", "a host named 'file' user@file:www"),
            ("file:///srv/www", "write the path of the folder alone"),
        ])
    func advising(_ text: String, _ advice: String) {
        let problem = #expect(throws: TargetAddress.Problem.self) { try TargetAddress(text) }
        #expect(problem?.message.contains(advice) == true)
    }
}
