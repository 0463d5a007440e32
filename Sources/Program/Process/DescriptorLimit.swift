internal import Foundation

/// The limit on this process's open files, including sockets.
enum DescriptorLimit {
    /// The descriptors of one transfer: its socket, a second one while it connects (RFC 8305), and its file.
    private static let perTransfer = 3
    /// The descriptors of one filter: the original, and the derivatives rendered from it.
    private static let perFilter = 8
    /// The descriptors for everything except transfers and filters.
    private static let other = 100

    /// Raises the limit as far as the system allows. The default is low for the sake of programs that use select(2).
    static func raise() {
        var limit = current
        limit.rlim_cur = limit.rlim_max
        // If the system refuses, the limit stays as it is.
        setrlimit(resource, &limit)
    }

    /// The number of transfers that the limit allows next to this many filters; at least 1.
    static func transfers(withJobs jobs: Int) -> Int {
        max(1, (Int(clamping: current.rlim_cur) - other - jobs * perFilter) / perTransfer)
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
