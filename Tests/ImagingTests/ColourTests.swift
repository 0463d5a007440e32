import Foundation
import Imaging
import TestSupport
import Testing

@Suite("A picture's colours are read by its profile, its gamma, or as sRGB")
struct ColourTests {
    @Test(
        "A profile that names the order of the channels is applied in that order",
        arguments: [
            ("jpeg/icc-channels-rotated.jpg", "jpeg/baseline-444-97x61.jpg", 4.0),
            ("png/rgb8-icc-channels-rotated.png", "png/rgb8-srgb-chunk.png", 0.5),
        ])
    func rotated(_ name: String, like reference: String, tolerance: Double) throws {
        #expect(try picture(name).meanDifference(to: picture(reference)) < tolerance)
    }

    @Test("The parts of a profile may come in any order")
    func parts() throws {
        let whole = try picture("jpeg/icc-display-p3.jpg")
        #expect(try picture("jpeg/icc-in-five-segments.jpg").bytes == whole.bytes)
        #expect(try picture("jpeg/icc-segments-out-of-order.jpg").bytes == whole.bytes)
        #expect(try picture("jpeg/icc-segment-missing.jpg").bytes != whole.bytes)
    }

    @Test("An invalid profile, or one for another kind of picture, is ignored, and sRGB changes nothing")
    func unusable() throws {
        // The reference has the same pixels, with a profile that converts nothing.
        let plain = try picture("jpeg/icc-srgb.jpg")
        for name in ["jpeg/icc-garbage.jpg", "jpeg/icc-grey-profile-on-colour.jpg"] {
            #expect(try picture(name).bytes == plain.bytes, "\(name)")
        }
        let png = try picture("png/rgb8-srgb-chunk.png")
        for name in ["png/rgb8-icc-garbage.png", "png/rgb8-icc-grey-profile.png"] {
            #expect(try picture(name).bytes == png.bytes, "\(name)")
        }
    }

    @Test("A profile with one changed byte gives colours, and no crash", arguments: 1...4)
    func damagedProfiles(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let scratch = TemporaryFolder()
        for name in ["icc-display-p3", "icc-grey", "icc-prophoto", "icc-srgb"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: PictureFixture.named("jpeg/\(name).jpg").path))
            let start = try #require(bytes.range(of: Data("ICC_PROFILE\0".utf8))).upperBound + 2
            let length = Int(bytes[start - 16]) << 8 + Int(bytes[start - 15]) - 16
            for _ in 0..<25 {
                var damaged = bytes
                damaged[Int.random(in: start..<start + length, using: &random)] = .random(in: 0...255, using: &random)
                let path = try scratch.write(damaged, to: "damaged.jpg")
                #expect(try DecodedPicture(path: path).bytes.count == 97 * 61 * 3)
            }
        }
    }

    @Test("Linear samples are encoded by sRGB's transfer function")
    func linear() throws {
        let stored = try picture("png/rgb8-srgb-chunk.png").bytes
        let shown = try picture("png/rgb8-gamma-1.0.png").bytes
        for (level, result) in zip(stored, shown) {
            let exact = 255 * encoded(Double(level) / 255)
            #expect(abs(Double(result) - exact) < 1.1, "\(level) became \(result)")
        }
    }

    @Test(
        "One picture stored with several gammas looks the same",
        arguments: [
            ["g03n0g16", "g05n0g16", "g10n0g16"], ["g03n3p04", "g05n3p04", "g10n3p04"],
            ["g04n2c08", "g07n2c08", "g25n2c08"],
        ])
    func gammas(_ names: [String]) throws {
        let first = try picture("pngsuite/\(names[0]).png")
        for name in names.dropFirst() {
            let difference = try picture("pngsuite/\(name).png").meanDifference(to: first)
            // The files were rounded and dithered independently. Exact arithmetic finds differences of up to 5.4, and
            // of over 20 if the gammas are ignored.
            #expect(difference < 5.6, "\(name): \(difference) levels")
        }
    }

    @Test("16 bits of linear light give levels between those that 8 bits would give")
    func wide() throws {
        let found = Set(try picture("pngsuite/basn6a16.png").bytes)
        let reachedFrom8Bits = Set((0...255).map { UInt8((255 * encoded(Double($0) / 255)).rounded()) })
        #expect(found.subtracting(reachedFrom8Bits).count > 10)
    }

    @Test(
        "CMYK with a profile has the colours that Little CMS finds through Pillow",
        .enabled(if: PictureFixture.usedInPlace != nil, "the folder of shared pictures is missing"))
    func inks() throws {
        let fixture = try #require(PictureFixture.usedInPlace?.first { $0.name == "jpeg/cmyk-adobe-icc.jpg" })
        let picture = try DecodedPicture(path: fixture.path)
        // The values come from Pillow 13.0, ImageCms with perceptual intent and black point compensation.
        let expected: [(x: Int, y: Int, colour: [UInt8])] = [
            (10, 10, [204, 92, 118]), (48, 30, [163, 178, 79]), (90, 10, [71, 62, 134]), (10, 50, [193, 196, 198]),
            (80, 50, [0, 135, 105]), (60, 20, [68, 89, 126]),
        ]
        for sample in expected {
            let start = (sample.y * picture.shape.width + sample.x) * 3
            for (found, level) in zip(picture.bytes[start..<start + 3], sample.colour) {
                #expect(abs(Int(found) - Int(level)) <= 3, "\(sample)")
            }
        }
    }

    @Test("Pictures decoded at the same time have the colours of one decoded alone")
    func concurrently() async throws {
        let names = ["jpeg/icc-display-p3.jpg", "jpeg/icc-prophoto.jpg", "pngsuite/basn6a16.png", "jpeg/icc-grey.jpg"]
        let alone = try names.map { try picture($0).bytes }
        try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for index in 0..<48 {
                group.addTask { (index, try DecodedPicture(path: PictureFixture.named(names[index % 4]).path).bytes) }
            }
            for try await (index, bytes) in group { #expect(bytes == alone[index % 4]) }
        }
    }

    /// sRGB's transfer function (IEC 61966-2-1), from 0 to 1.
    private func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    private func picture(_ name: String) throws -> DecodedPicture {
        try DecodedPicture(path: PictureFixture.named(name).path)
    }
}
