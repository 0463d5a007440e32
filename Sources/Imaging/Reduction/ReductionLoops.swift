#if arch(x86_64)
    internal import CReduction
#endif

/// The loops that reduce rows. The choice affects only the time, because all loops compute the same integers.
package enum ReductionLoops: Sendable {
    /// The loops in Swift, for all processors.
    case common
    /// The loops in C, for x86-64 processors with AVX2.
    case avx2

    /// The fastest loops that this processor has.
    package static let fastest: ReductionLoops = {
        #if arch(x86_64)
            if reduction_has_avx2() { return .avx2 }
        #endif
        return .common
    }()
}
