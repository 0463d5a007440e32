import CLibXML2
import Foundation
import Manifest
import Synchronization
import Testing

/// libxml2 never requests another file or address.
@Suite struct NoOtherFileTests {
    private static let requests = Mutex<[String]>([])

    @Test("No manifest makes libxml2 load a DTD, an entity or an inclusion")
    func loader() throws {
        // The loader is a global variable of libxml2. It stays in place, as no test in this process may cause a
        // request.
        xmlSetExternalEntityLoader { address, _, _ in
            NoOtherFileTests.requests.withLock { $0.append(address.map { String(cString: $0) } ?? "?") }
            return nil
        }
        for fixture in Expectation.all {
            // Other tests check the result.
            _ = Result { try Fixtures.read(fixture.name) }
        }
        #expect(Self.requests.withLock(\.self) == [])
    }
}
