import Testing

@testable import ObjectStore

@Suite struct StoreAddressTests {
    @Test("A store is a path, or a bucket with a prefix")
    func addresses() throws {
        #expect(try StoreAddress("/mnt/store") == .folder("/mnt/store"))
        #expect(try StoreAddress("./a:b") == .folder("./a:b"))
        #expect(try StoreAddress("s3://photos/2026/all/") == .bucket("photos", prefix: "2026/all"))
        #expect(try StoreAddress("S3://photos") == .bucket("photos", prefix: ""))
        #expect(try StoreAddress("s3://photos/2026/").shown == "s3://photos/2026")
    }

    @Test(
        "Other addresses are refused",
        arguments: [
            "", "a\nb", "https://example.org/a", "s3://", "s3://Photos", "s3://photos/a//b", "s3://photos/../a",
            "s3://photos/a b", "s3://photos/a+b", "s3://photos/a=b", "host:/srv/store", "anna@host:store",
        ])
    func refused(text: String) { #expect(throws: AddressProblem.self) { try StoreAddress(text) } }
}
