import Testing

@testable import ObjectStore

@Suite struct RequestTests {
    @Test("A query is sorted and encoded as it is signed, with a value for each name")
    func query() {
        let request = S3Request(
            method: "GET", query: ["prefix": "a b/ä", "list-type": "2", "continuation-token": "x+/=", "delete": ""])
        #expect(
            request.canonicalQuery == "continuation-token=x%2B%2F%3D&delete=&list-type=2&prefix=a%20b%2F%C3%A4")
    }

    @Test("A key keeps its slashes, and all but unreserved characters are encoded")
    func key() {
        let request = S3Request(method: "PUT", key: "my photos/photo/ä+b~c'd.html")
        #expect(request.path == "/my%20photos/photo/%C3%A4%2Bb~c%27d.html")
    }

    @Test("The host is signed without the port of the scheme, and the path with that of the endpoint")
    func bucketURL() {
        let url = BucketURL("https://Store.example.org:443/base/photos")
        #expect(url.origin == "https://store.example.org:443" && url.host == "store.example.org")
        #expect(url.path == "/base/photos")
        #expect(BucketURL("http://[::1]:9000/photos").host == "[::1]:9000")
        #expect(BucketURL("http://a:443").host == "a:443" && BucketURL("http://a:443").path == "")
    }

    @Test("MD5 is that of RFC 1321")
    func md5() {
        #expect(MD5(of: []).hex == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(MD5(of: Array("message digest".utf8)).hex == "f96b697d7cb7938d525a2f31aaf161d0")
        #expect(MD5(of: []).base64 == "1B2M2Y8AsgTpgAmY7PhCfg==")
    }

    @Test("An answer is read with its entities, and what is no XML is none")
    func answer() throws {
        let text = """
            <?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\
            <IsTruncated>false</IsTruncated><Contents><Key>a&amp;b.html</Key><Size>7</Size>\
            <ETag>&quot;0123&quot;</ETag></Contents></ListBucketResult>
            """
        let answer = try #require(ResponseElement(Array(text.utf8)))
        #expect(answer.name == "ListBucketResult" && answer["IsTruncated"] == "false")
        #expect(answer.children.last?["Key"] == "a&b.html" && answer.children.last?["ETag"] == "\"0123\"")
        #expect(ResponseElement([]) == nil && ResponseElement(Array("no".utf8)) == nil)
    }

    @Test("An answer cannot make a file of this machine part of itself")
    func entities() {
        let text = #"<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><Error><Code>&x;</Code></Error>"#
        #expect(ResponseElement(Array(text.utf8))?["Code"] ?? "" == "")
    }
}
