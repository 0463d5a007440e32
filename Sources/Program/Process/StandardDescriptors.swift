internal import Foundation

/// The three files that a process expects to be open when it begins.
enum StandardDescriptors {
    /// Opens those that the parent has closed (`>&-`): else the next files to be opened, a ledger or an original,
    /// would get their numbers, and messages would be written into them. Each is opened the wrong way round, so that
    /// whoever wants to use it is still told that it is not there. To be called before any other file is opened.
    static func openMissing() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
