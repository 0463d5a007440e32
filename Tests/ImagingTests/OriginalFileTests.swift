import Foundation
import Imaging
import TestSupport
import Testing

@Suite("Reading an original") struct OriginalFileTests {
    private static let maker = DerivativeMaker(
        options: DerivativeOptions(
            widths: [48], quality: 82, filter: .none, publishesUnfiltered: false, maxPixels: 200_000_000))

    #if os(Linux)
        @Test("Reading an original leaves its access time as it was")
        func accessTime() throws {
            let scratch = TemporaryFolder()
            let picture = try PictureFixture.named("jpeg/baseline-444-97x61.jpg")
            let path = try scratch.write(try Data(contentsOf: URL(fileURLWithPath: picture.path)), to: "picture.jpg")
            // The access time precedes the modification time, since `relatime` updates only such access times.
            let times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_100_000_000, tv_nsec: 0)]
            try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
            _ = try Self.maker.header(ofOriginalAt: path)
            var status = stat()
            try #require(stat(path, &status) == 0)
            #expect(status.st_atim.tv_sec == 1_000_000_000)
        }

        @Test(
            "Reading an original needs no more than read permission",
            .enabled(if: geteuid() == 0, "only root can have files that belong to somebody else"))
        func anotherOwner() async {
            await #expect(processExitsWith: .success) {
                ProcessLimit.begin(seconds: 50)
                let scratch = TemporaryFolder()
                let picture = try PictureFixture.named("jpeg/baseline-444-97x61.jpg")
                let path = try scratch.write(
                    try Data(contentsOf: URL(fileURLWithPath: picture.path)), to: "picture.jpg")
                try #require(chmod(path, 0o644) == 0 && chmod(scratch.path, 0o755) == 0)
                try #require(seteuid(65_534) == 0)
                // Only root may remove the folder.
                defer { seteuid(0) }
                #expect(try OriginalFileTests.maker.header(ofOriginalAt: path).width == 97)
            }
        }
    #endif
}
