internal import Synchronization

/// The value of --log-format: the format of all messages of this process.
package enum LogFormat: String, CaseIterable, Sendable {
    case text, json

    /// The format in use. It is set when the settings are known, and also applies to the error that ends the process.
    static var current: LogFormat {
        get { used.withLock { $0 } }
        set { used.withLock { $0 = newValue } }
    }

    private static let used = Mutex(LogFormat.text)
}
