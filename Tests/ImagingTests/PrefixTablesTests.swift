import Foundation
import Imaging
import PhotoModel
import TestSupport
import Testing

/// The files `groups-…` were made by `many_groups` of Tests/Harness/lossless_webp.py, and `alpha-groups-…` by
/// `many_groups_of_transparency`: all are 64 pixels a side where nothing else is said. `alpha-cut-…` by
/// `cut_transparency`.
@Suite("The tables that a WebP makes its decoder build are known before it is decoded")
struct PrefixTablesTests {
    /// With the numbers that libwebp 1.2.4 was seen to allocate for: records of 568 bytes, and entries of 4 bytes.
    @Test(
        "There are as many as groups of prefix codes",
        arguments: [
            ("lossless.webp", 2, 3082), ("lossless-alpha.webp", 2, 3082), ("exif-profile.webp", 2, 3082),
            ("lossy-alpha.webp", 1, 2956),
            // A group for each block; with a cache of 2¹¹ colours, 128 pixels a side.
            ("groups-256.webp", 256, 2954), ("groups-1024-cache-11.webp", 1024, 5004),
            // Behind prediction, correlation of colours and subtraction of green, or a palette and prediction.
            ("groups-256-transforms.webp", 256, 2954), ("groups-256-palette.webp", 256, 2954),
            // The groups are told by pixels with a cache of their own.
            ("alpha-groups-256-cache-3.webp", 256, 2962), ("alpha-groups-256-transforms.webp", 256, 2954),
            // Of the numbers 0 to 8 each is used again and again.
            ("groups-9.webp", 9, 2954),
            // More than 1000, or than there are pixels, are counted by those in use: 1500 of 160 pixels a side, the
            // 41st of 4.
            ("groups-1500.webp", 1500, 2954), ("groups-41st.webp", 1, 2954),
            // Cut off, after 5 and 6 bytes: of fewer than 8 libwebp reads zeros that are not there, and finds a
            // thousand groups.
            ("alpha-cut-5.webp", 1000, 2954), ("alpha-cut-6-cache-11.webp", 1000, 5004),
        ])
    func tables(_ name: String, groups: Int, entries: Int) throws {
        let bytes = groups * (568 + 4 * entries)
        #expect(bytes...bytes * 101 / 100 ~= (try header(name).heldInTables))
    }

    @Test(
        "Where no pixel or transparency is coded without losses there are none", arguments: ["lossy.webp", "plain.gif"])
    func none(_ name: String) throws {
        #expect(try header(name).heldInTables == 0)
    }

    @Test("They are part of the cost")
    func cost() throws {
        var header = try header("lossless.webp")
        let cost = try maker().estimatedMemory(of: header)
        header.heldInTables += 1_000_000
        #expect(try maker().estimatedMemory(of: header) == cost + 1_000_000)
    }

    @Test(
        "Bits that end or break anywhere before the pixels are the decoder's to judge",
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
