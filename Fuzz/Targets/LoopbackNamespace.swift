import Foundation

/// A network namespace for this process with only the loopback interface. No packet leaves it, wherever a server's
/// answers lead, and port 80 is always free.
enum LoopbackNamespace {
    /// CLONE_NEWNET and CLONE_NEWUSER of <linux/sched.h>, which Glibc does not export to Swift.
    private static let newNetwork: CInt = 0x4000_0000
    private static let newUsers: CInt = 0x1000_0000

    /// Must be called before the first thread is started.
    static func enter() {
        let (user, group) = (getuid(), getgid())
        if unshare(newNetwork) != 0 {
            // Without root, a network namespace can only be created in a new user namespace.
            guard unshare(newUsers | newNetwork) == 0 else {
                let why = String(cString: strerror(errno))
                fatalError("no network namespace: \(why); run as root, or allow user namespaces")
            }
            write("deny", to: "/proc/self/setgroups")
            write("0 \(user) 1", to: "/proc/self/uid_map")
            write("0 \(group) 1", to: "/proc/self/gid_map")
        }
        raiseLoopback()
    }

    /// Brings up the loopback interface, which is down in a new namespace (netdevice(7)).
    private static func raiseLoopback() {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        // struct ifreq: a name of 16 bytes, then a union of 24 bytes that begins with the flags.
        var request = [UInt8](repeating: 0, count: 40)
        request.replaceSubrange(0..<2, with: Array("lo".utf8))
        let flags = UInt16(IFF_UP | IFF_RUNNING)
        request[16] = UInt8(flags & 0xFF)
        request[17] = UInt8(flags >> 8)
        let code = request.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { ioctl(descriptor, UInt(SIOCSIFFLAGS), $0) }
        }
        guard code == 0 else { fatalError("can't bring up loopback: \(String(cString: strerror(errno)))") }
    }

    private static func write(_ text: String, to path: String) {
        let descriptor = open(path, O_WRONLY)
        guard descriptor >= 0, Foundation.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            fatalError("\(path): \(String(cString: strerror(errno)))")
        }
        close(descriptor)
    }
}

/// unshare(2), which Glibc does not export to Swift either.
@_silgen_name("unshare")
private func unshare(_ flags: CInt) -> CInt
