#if arch(x86_64)
    internal import CReduction
#endif

/// The loops that reduce rows. The choice affects only the time, because all loops compute the same integers.
package enum ReductionLoops: CaseIterable, Sendable {
    /// The loops in Swift, for all processors.
    case common
    /// The loops in C, for x86-64 processors with AVX2.
    case avx2

    /// The fastest ones that this processor has.
    package static let fastest = Self.avx2.isAvailable ? avx2 : common

    package var isAvailable: Bool {
        switch self {
        case .common: true
        case .avx2:
            #if arch(x86_64)
                reduction_has_avx2()
            #else
                false
            #endif
        }
    }
}
