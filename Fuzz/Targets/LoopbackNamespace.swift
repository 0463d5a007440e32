import Foundation

/// A network of this process's own that has nothing but loopback: whatever a server leads to, no packet gets out, and
/// ports are the same in each run.
enum LoopbackNamespace {
    /// CLONE_NEWNET and CLONE_NEWUSER of <linux/sched.h>, which Swift does not see.
    private static let newNetwork: CInt = 0x4000_0000
    private static let newUsers: CInt = 0x1000_0000

    /// Call it before the first thread is started.
    static func enter() {
        let (user, group) = (getuid(), getgid())
        if unshare(newNetwork) != 0 {
            // Who is not root needs a namespace of users first, in which it may.
            guard unshare(newUsers | newNetwork) == 0 else {
                let why = String(cString: strerror(errno))
                fatalError("no network namespace: \(why); run as root, or allow them to users")
            }
            write("deny", to: "/proc/self/setgroups")
            write("0 \(user) 1", to: "/proc/self/uid_map")
            write("0 \(group) 1", to: "/proc/self/gid_map")
        }
        raiseLoopback()
    }

    /// A new namespace has its loopback down (netdevice(7)).
    private static func raiseLoopback() {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        // struct ifreq: sixteen bytes of a name, then flags in a union of 24.
        var request = [UInt8](repeating: 0, count: 40)
        request.replaceSubrange(0..<2, with: Array("lo".utf8))
        let flags = UInt16(IFF_UP | IFF_RUNNING)
        request[16] = UInt8(flags & 0xFF)
        request[17] = UInt8(flags >> 8)
        let code = request.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { ioctl(descriptor, UInt(SIOCSIFFLAGS), $0) }
        }
        guard code == 0 else { fatalError("loopback stays down: \(String(cString: strerror(errno)))") }
    }

    private static func write(_ text: String, to path: String) {
        let descriptor = open(path, O_WRONLY)
        guard descriptor >= 0, Foundation.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            fatalError("\(path): \(String(cString: strerror(errno)))")
        }
        close(descriptor)
    }
}

/// unshare(2), which Swift does not see either.
@_silgen_name("unshare")
private func unshare(_ flags: CInt) -> CInt
