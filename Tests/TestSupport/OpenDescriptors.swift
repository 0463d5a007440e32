internal import Foundation

#if os(Linux)
    /// The descriptors that this process has open.
    package enum OpenDescriptors {
        /// The target of each descriptor. The one that reads this list has been closed and has no target.
        package static func paths() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            }
        }
    }
#endif
