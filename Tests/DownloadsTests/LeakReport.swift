internal import Foundation
internal import TestSupport
internal import Testing

/// The resources that a test in a process of its own has left behind.
struct LeakReport: Error, CustomStringConvertible {
    let description: String

    /// Of a process that fails, Testing does not show what it said: so it says it, and succeeds.
    /// - Parameter limit: in seconds, less than the suite's.
    static func reporting(within limit: UInt32, _ work: () async throws -> Void) async {
        ProcessLimit.begin(seconds: limit)
        do {
            try await work()
        } catch {
            FileHandle.standardError.write(Data("\(error)".utf8))
        }
    }

    /// Expects of a process that it succeeded and said nothing.
    static func expectNone(_ ended: ExitTest.Result?) throws {
        let complaint = try #require(ended).standardErrorContent
        #expect(complaint.isEmpty, "\(String(decoding: complaint, as: UTF8.self))")
    }
}
