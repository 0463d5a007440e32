internal import Foundation

/// The time limit of a test that runs in a separate process. The suite's limit cannot end that process, and the test
/// would wait for it without end.
package enum ProcessLimit {
    /// Ends this process by SIGALRM, so that its test fails, unless the process has ended before.
    ///
    /// - Parameter seconds: less than the suite's limit.
    package static func begin(seconds: UInt32) { alarm(seconds) }
}
