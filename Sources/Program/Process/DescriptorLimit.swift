internal import Foundation

/// The limit on open files of this process, sockets included.
enum DescriptorLimit {
    /// A transfer's socket, the one that is tried beside it while it is not connected, and its file.
    private static let ofATransfer = 3
    /// An original and the derivatives that are made of it.
    private static let ofAFilter = 8
    /// File descriptors for everything but transfers and filters.
    private static let ofTheRest = 100

    /// Raises it as far as the system lets us: shells keep it low for the sake of programs that can't deal with more.
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
