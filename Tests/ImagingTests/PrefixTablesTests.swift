import Foundation
import Imaging
import PhotoModel
import TestSupport
import Testing

/// The files `groups-…` were made by `many_groups` of Tests/Harness/images/lossless_webp.py, `alpha-groups-…` by
/// `many_groups_of_transparency`, and `alpha-cut-…` by `cut_transparency`. Files are 64 pixels wide and high unless a
/// comment says otherwise.
@Suite("The prefix tables that a WebP makes its decoder build are counted before decoding")
struct PrefixTablesTests {
    /// The expected numbers are those that libwebp 1.2.4 allocates memory for, in records of 568 bytes and entries of 4
    /// bytes.
    @Test(
        "The number of tables follows from the groups of prefix codes",
        arguments: [
            ("lossless.webp", 2, 3082), ("lossless-alpha.webp", 2, 3082), ("exif-profile.webp", 2, 3082),
            ("lossy-alpha.webp", 1, 2956),
            // Each block has a group. The file with a cache of 2¹¹ colours is 128 pixels wide and high.
            ("groups-256.webp", 256, 2954), ("groups-1024-cache-11.webp", 1024, 5004),
            // The groups follow prediction, cross-colour and subtract-green transforms, or a palette and prediction.
            ("groups-256-transforms.webp", 256, 2954), ("groups-256-palette.webp", 256, 2954),
            // The entropy image, which assigns groups to blocks, has a colour cache of its own.
            ("alpha-groups-256-cache-3.webp", 256, 2962), ("alpha-groups-256-transforms.webp", 256, 2954),
            // The numbers 0 to 8 are each used many times.
            ("groups-9.webp", 9, 2954),
            // If the highest number exceeds 1000 or the number of pixels, only the groups in use count: 1500
            // groups in 160 × 160 pixels, and the 41st group alone in 4 × 4.
            ("groups-1500.webp", 1500, 2954), ("groups-41st.webp", 1, 2954),
            // The data are cut off after 5 or 6 bytes. libwebp reads the missing bits, up to 8 bytes, as zeros, and
            // finds a thousand groups.
            ("alpha-cut-5.webp", 1000, 2954), ("alpha-cut-6-cache-11.webp", 1000, 5004),
        ])
    func tables(_ name: String, groups: Int, entries: Int) throws {
        let bytes = groups * (568 + 4 * entries)
        #expect(bytes...bytes * 101 / 100 ~= (try header(name).tableBytes))
    }

    @Test(
        "A file without lossless pixels or transparency has no tables", arguments: ["lossy.webp", "plain.gif"])
    func none(_ name: String) throws {
        #expect(try header(name).tableBytes == 0)
    }

    @Test("The tables are part of the cost")
    func cost() throws {
        var header = try header("lossless.webp")
        let cost = try maker().estimatedMemory(of: header)
        header.tableBytes += 1_000_000
        #expect(try maker().estimatedMemory(of: header) == cost + 1_000_000)
    }

    @Test(
        "A file that ends or is damaged before its pixels is left to the decoder to judge",
        arguments: ["groups-9", "alpha-groups-256-transforms"])
    func broken(_ name: String) throws {
        let scratch = TemporaryFolder()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path(name + ".webp")))
        for place in stride(from: whole.count / 2 - 200, to: whole.count / 2 + 200, by: 7) {
            var broken = whole
            for index in place..<place + 40 { broken[index] = broken[index] &* 17 ^ 0x5A }
            let file = try scratch.write(broken, to: "broken")
            #expect(throws: Never.self) { try maker().header(ofOriginalAt: file) }
            do throws(ImagingError) {
                _ = try DecodedPicture(path: file)
            } catch {
                #expect(error == .picture(.truncated) || error == .picture(.corrupt("the WebP bitstream is damaged")))
            }
        }
    }

    private func header(_ name: String) throws -> PictureHeader { try maker().header(ofOriginalAt: path(name)) }

    private func path(_ name: String) -> String { "\(PictureFixture.fixtures)/other/\(name)" }

    private func maker() throws -> DerivativeMaker {
        DerivativeMaker(
            options: DerivativeOptions(
                widths: [10], quality: 82, formats: .jpeg, filter: .none, publishesUnfiltered: false,
                maxPixels: 1_000_000))
    }
}
