internal import Foundation

/// The time limit of a test that runs in a process of its own: the suite's limit cannot end that process, and the test
/// would wait for it without end.
package enum ProcessLimit {
    /// Ends this process by SIGALRM, so that its test fails, unless it has ended by then.
    /// - Parameter seconds: less than the suite's limit.
    package static func begin(seconds: UInt32) { alarm(seconds) }
}
