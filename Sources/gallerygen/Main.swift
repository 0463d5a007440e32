internal import Foundation
internal import Program

// Linked with it, malloc and free are tcmalloc's for all of the process.
#if os(Linux)
    internal import CTCMalloc
#endif

/// The process: the program, and the allocator it is linked with.
@main
enum Main {
    static func main() {
        #if os(Linux)
            // Whole pages that nobody uses go back to the system at once: 3 MB less for pictures, 5 for 100,000
            // photos, and no slower. By this call a linker that drops libraries nobody asks for keeps this one.
            MallocExtension_SetNumericProperty("tcmalloc.aggressive_memory_decommit", 1)
            // What threads keep for themselves: with the 32 MB that they may have otherwise, --watch grew from 55 to
            // 67 MB in 100 builds on four processors, and stays at 54 with these. Builds take as long; with 2 MB they
            // would not.
            let threadsKeep = min(32, max(4, ProcessInfo.processInfo.activeProcessorCount)) << 20
            MallocExtension_SetNumericProperty("tcmalloc.max_total_thread_cache_bytes", threadsKeep)
        #endif
        CommandLineProgram.main()
    }
}
