internal import Foundation
internal import Program

// Linking this module replaces malloc and free by those of tcmalloc in the whole process.
#if os(Linux)
    internal import CTCMalloc
#endif

/// The process: the program, and the allocator that it is linked with.
@main
enum Main {
    static func main() {
        #if os(Linux)
            // Without these calls, a linker that drops unreferenced libraries would drop tcmalloc.
            setReturnsMemory(true)
            // This limits the caches of threads. With the default of 32 MB, `--watch` grew from 55 to 67 MB in 100
            // builds on four processors. With this limit it stays at 54 MB. Builds take as long as before; with 2 MB
            // they would not.
            let threadsKeep = min(32, max(4, ProcessInfo.processInfo.activeProcessorCount)) << 20
            MallocExtension_SetNumericProperty("tcmalloc.max_total_thread_cache_bytes", threadsKeep)
            CommandLineProgram.main(allocator: setReturnsMemory)
        #else
            CommandLineProgram.main(allocator: { _ in })
        #endif
    }

    #if os(Linux)
        /// Makes tcmalloc return pages to the system as soon as they are unused, or keep most of them. Returning them
        /// saves 3 MB for pictures and 65 MB for 100,000 tiny photos, whose first build takes a tenth longer for it
        /// (docs/contributing/speed.md).
        private static func setReturnsMemory(_ isReturned: Bool) {
            MallocExtension_SetNumericProperty("tcmalloc.aggressive_memory_decommit", isReturned ? 1 : 0)
            if isReturned { MallocExtension_ReleaseFreeMemory() }
        }
    #endif
}
