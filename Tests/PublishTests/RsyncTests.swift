import Foundation
import TestSupport
import Testing

@testable import Publish

@Suite struct RsyncTests {
    @Test("A listing tells kinds, sizes and names with spaces")
    func listing() {
        let listing = RsyncListing(
            """
            drwxr-xr-x        4096 2026/11/25 14:49:56 .
            lrwxrwxrwx           4 2026/11/25 14:49:56 album
            -rw-r--r--  1234567890 2026/11/25 14:49:56 images/my  holiday.jpg
            drwxr-xr-x        4096 2026/11/25 14:49:56 images
            skipping something that is no entry

            """)
        #expect(listing.entries.keys.sorted() == [".", "album", "images", "images/my  holiday.jpg"])
        #expect(listing.entries["images/my  holiday.jpg"] == .init(kind: .file, bytes: 1_234_567_890))
        #expect(listing.entries["album"]?.kind == .other)
        #expect(listing.entries["images"]?.kind == .folder)
    }

    @Test("A path below a symbolic link, or of a folder, is not that of a file")
    func files() {
        let listing = RsyncListing(
            """
            lrwxrwxrwx           4 2026/11/25 14:49:56 album
            -rw-r--r--           7 2026/11/25 14:49:56 album/x.html
            drwxr-xr-x        4096 2026/11/25 14:49:56 photo
            drwxr-xr-x        4096 2026/11/25 14:49:56 photo/folder.html
            -rw-r--r--           7 2026/11/25 14:49:56 photo/page.html
            -rw-r--r--           7 2026/11/25 14:49:56 index.html

            """)
        let paths = ["album/x.html", "photo/folder.html", "photo/page.html", "index.html", "photo/gone.html"]
        #expect(paths.filter { listing.isFile($0) } == ["photo/page.html", "index.html"])
    }

    @Test("A socket of ssh has a short path that neither rsync nor ssh splits or expands")
    func socketPaths() {
        #expect(RsyncTemporaryFolder.isUsable(forSocket: "/var/folders/x_1/T.a-b/ssh"))
        for path in ["/my files/ssh", "/%h/ssh", "/it's/ssh", "/ä/ssh", "/" + String(repeating: "x", count: 80)] {
            #expect(!RsyncTemporaryFolder.isUsable(forSocket: path))
        }
    }

    @Test("A failure names its cause and not what rsync says at the end")
    func failure() {
        let failure = RsyncCommand.Failure(
            code: 255, errors: "ssh: connect to host example.org port 22: Connection refused\nrsync error: other\n")
        #expect(failure.message.contains("the connection failed: ssh: connect to host example.org"))
        // ssh ends its lines in "\r\n".
        let warned = "Warning: Permanently added 'h'.\r\nanna@h: Permission denied (publickey).\r\nrsync error: other\n"
        #expect(
            RsyncCommand.Failure(code: 255, errors: warned).message
                == "the connection failed: anna@h: Permission denied (publickey). (exit code 255)")
        let missing = #"rsync: [sender] change_dir "/srv/www" failed: No such file or directory (2)"#
        #expect(RsyncCommand.Failure(code: 23, errors: missing).isMissing)
        #expect(!RsyncCommand.Failure(code: 23, errors: "Permission denied (13)").isMissing)
    }
}
