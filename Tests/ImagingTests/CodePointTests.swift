import Foundation
import Imaging
import TestSupport
import Testing

@Suite("PNG colours given by the code points of ITU-T H.273 are converted to sRGB")
struct CodePointTests {
    @Test("Display P3 by code points has the colours of Display P3 by a profile")
    func displayP3() throws {
        let plain = try decode([1, 13, 0, 1])
        let converted = try decode([12, 13, 0, 1])
        #expect(converted.profileProblem == nil)
        #expect(converted.meanDifference(to: plain) > 1)
        try expect(converted, from: plain, primaries: .displayP3, light: Self.sRGB)
        let (named, profiled) = try (picture("png/rgb8-cicp-display-p3.png"), picture("png/rgb8-icc-display-p3.png"))
        #expect(named.meanDifference(to: profiled) < 0.5)
    }

    @Test(
        "Each transfer function and each set of primaries gives the colours of its formula",
        arguments: [
            ([9, 13, 0, 1], .bt2020, 1 / 2.4), ([9, 1, 0, 1], .bt2020, 0.45), ([9, 14, 0, 1], .bt2020, 0.45),
            ([9, 15, 0, 1], .bt2020, 0.45), ([12, 8, 0, 1], .displayP3, 1), ([12, 4, 0, 1], .displayP3, 1 / 2.2),
        ] as [([UInt8], Primaries, Double)])
    func formulas(_ points: [UInt8], _ primaries: Primaries, exponent: Double) throws {
        let light: (Double) -> Double =
            switch points[1] {
            case 13: Self.sRGB
            case 1, 14, 15: { $0 < 0.0812 ? $0 / 4.5 : pow(($0 + 0.0993) / 1.0993, 1 / 0.45) }
            default: { pow($0, 1 / exponent) }
            }
        try expect(try decode(points), from: try decode([1, 13, 0, 1]), primaries: primaries, light: light)
    }

    @Test("Code points take precedence over a profile, and apply to grey, transparency and 16 bits")
    func precedence() throws {
        let rotated = try decode([12, 13, 0, 1], in: "png/rgb8-icc-channels-rotated.png")
        #expect(rotated.profileProblem == nil)
        #expect(rotated.meanDifference(to: try picture("png/rgb8-icc-channels-rotated.png")) > 20)
        for name in ["png/rgba8.png", "png/rgba16.png", "pngsuite/f00n0g08.png"] {
            let (plain, wide) = try (decode([1, 13, 0, 1], in: name), decode([12, 8, 0, 1], in: name))
            #expect(wide.profileProblem == nil)
            #expect(wide.meanDifference(to: plain) > 1, "\(name)")
        }
    }

    /// The primaries for which the formulas are computed.
    enum Primaries: Sendable {
        case displayP3, bt2020

        /// The matrix to linear sRGB, as CSS Color 4 gives it (§18).
        var toSRGB: [[Double]] {
            switch self {
            case .displayP3: [[1.22494, -0.22494, 0], [-0.04206, 1.04206, 0], [-0.01964, -0.07864, 1.09828]]
            case .bt2020: [[1.6605, -0.5876, -0.0729], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]]
            }
        }
    }

    private static func sRGB(_ level: Double) -> Double {
        level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
    }

    /// Expects that colours inside the sRGB gamut are those of the formula, within the precision of Little CMS's 8-bit
    /// tables.
    private func expect(
        _ converted: DecodedPicture, from plain: DecodedPicture, primaries: Primaries, light: (Double) -> Double
    ) throws {
        let matrix = primaries.toSRGB
        var (checked, sum) = (0, 0.0)
        for pixel in stride(from: 0, to: plain.bytes.count, by: 3) {
            let lights = (0..<3).map { light(Double(plain.bytes[pixel + $0]) / 255) }
            let linear = matrix.map { row in zip(row, lights).reduce(0) { $0 + $1.0 * $1.1 } }
            guard linear.allSatisfy({ (0.002...0.99).contains($0) }) else { continue }
            for (channel, value) in linear.enumerated() {
                let encoded = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
                sum += abs(encoded * 255 - Double(converted.bytes[pixel + channel]))
                checked += 1
            }
        }
        #expect(checked > 1000)
        #expect(sum / Double(checked) < 1.5)
    }

    private func picture(_ name: String) throws -> DecodedPicture {
        try DecodedPicture(path: PictureFixture.named(name).path)
    }

    private func decode(_ points: [UInt8], in name: String = "png/rgb8-srgb-chunk.png") throws -> DecodedPicture {
        let plain = try Data(contentsOf: URL(fileURLWithPath: PictureFixture.named(name).path))
        let scratch = TemporaryFolder()
        let bytes = PNGChunk(type: "cICP", data: points).inserted(into: plain)
        return try DecodedPicture(path: scratch.write(bytes, to: "picture.png"))
    }
}
