internal import Foundation
internal import TestSupport
internal import Testing

/// The resources that a test in a separate process has leaked.
struct LeakReport: Error, CustomStringConvertible {
    let description: String

    /// Runs `work`, writes its error to standard error, and lets the process succeed: Testing does not show the output
    /// of a process that fails.
    ///
    /// - Parameter limit: in seconds, less than the time limit of the suite.
    static func reporting(within limit: UInt32, _ work: () async throws -> Void) async {
        ProcessLimit.begin(seconds: limit)
        do {
            try await work()
        } catch {
            FileHandle.standardError.write(Data("\(error)".utf8))
        }
    }

    /// Expects that a process succeeded and wrote nothing to standard error.
    static func expectNone(_ ended: ExitTest.Result?) throws {
        let complaint = try #require(ended).standardErrorContent
        #expect(complaint.isEmpty, "\(String(decoding: complaint, as: UTF8.self))")
    }
}
