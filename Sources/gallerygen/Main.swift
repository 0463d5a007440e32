internal import Program

// Linked with it, malloc and free are mimalloc's for all of the process.
#if os(Linux)
    internal import CMimalloc
#endif

/// The process: the program, and the allocator it is linked with.
@main
enum Main {
    static func main() {
        #if os(Linux)
            mi_give_back_at_once()
        #endif
        CommandLineProgram.main()
    }
}
