internal import Synchronization

/// The value of --log-format: the form of all messages of this process.
package enum LogFormat: String, CaseIterable, Sendable {
    case text, json

    /// The form in use. It is set when the settings are known, and also counts for the error that ends the process.
    static var current: LogFormat {
        get { used.withLock { $0 } }
        set { used.withLock { $0 = newValue } }
    }

    private static let used = Mutex(LogFormat.text)
}
