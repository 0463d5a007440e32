internal import Foundation

/// The limit on open files of this process, sockets included.
enum DescriptorLimit {
    /// Descriptors of a transfer: its socket, a second one while it connects (RFC 8305), and its file.
    private static let ofATransfer = 3
    /// Descriptors of a filter: the original, and the derivatives that are made of it.
    private static let ofAFilter = 8
    /// File descriptors for everything but transfers and filters.
    private static let ofTheRest = 100

    /// Raises the limit as far as the system allows. Shells set a low one for programs that use select(2).
    static func raise() {
        var limit = current
        limit.rlim_cur = limit.rlim_max
        // If the system refuses, the limit stays.
        setrlimit(resource, &limit)
    }

    /// The number of transfers that fit beside this many filters; at least 1.
    static func transfers(beside jobs: Int) -> Int {
        max(1, (Int(clamping: current.rlim_cur) - ofTheRest - jobs * ofAFilter) / ofATransfer)
    }

    private static var current: rlimit {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        getrlimit(resource, &limit)
        return limit
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif
}
