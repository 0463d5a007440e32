import PhotoModel
import Testing

@Suite("The kind of file system a path is on")
struct FileSystemKindTests {
    let mounts = """
        22 1 0:20 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
        23 22 0:21 / /proc rw - proc proc rw
        24 22 0:22 / /srv/far\\040away rw,noatime shared:2 master:3 - nfs4 server:/pictures rw
        25 24 0:23 / /srv/far\\040away/near rw - tmpfs tmpfs rw
        """

    @Test("The innermost mount above the path counts, even with a space in its name")
    func innermost() {
        #expect(FileSystemKind.kind(of: "/home/me", mounts: mounts) == "ext4")
        #expect(FileSystemKind.kind(of: "/srv/far away/a.jpg", mounts: mounts) == "nfs4")
        #expect(FileSystemKind.kind(of: "/srv/far away/near/a.jpg", mounts: mounts) == "tmpfs")
        #expect(FileSystemKind.kind(of: "/srv/far awayness", mounts: mounts) == "ext4")
        #expect(FileSystemKind.kind(of: "/anywhere", mounts: "") == nil)
    }
}
