internal import Foundation

#if os(Linux)
    /// The descriptors that this process has open.
    package enum OpenDescriptors {
        /// What each leads to; the one that reads this list leads nowhere by now.
        package static func paths() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            }
        }
    }
#endif
