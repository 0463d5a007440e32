internal import Foundation

/// The three files that a process expects to be open when it starts.
enum StandardDescriptors {
    /// Opens the standard descriptors that the parent process has closed (`>&-`). Otherwise a ledger or an original
    /// would get their numbers, and messages would be written into it. Input is opened for writing and output for
    /// reading, so that their use still fails. This must be called before any other file is opened.
    static func openMissing() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // open(2) returns the lowest free number, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
