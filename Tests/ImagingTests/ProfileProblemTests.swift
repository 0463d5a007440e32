import Foundation
import Imaging
import TestSupport
import Testing

@Suite("A picture whose colour data can't be used is decoded, and the problem is reported")
struct ProfileProblemTests {
    @Test(
        "A profile that is invalid, truncated or meant for other pictures is reported as such",
        arguments: [
            ("jpeg/icc-garbage.jpg", .unreadable), ("jpeg/icc-segment-missing.jpg", .unreadable),
            ("jpeg/icc-grey-profile-on-colour.jpg", .unfit), ("png/rgb8-icc-garbage.png", .unreadable),
            ("png/rgb8-icc-grey-profile.png", .unreadable), ("hostile/iccp-bomb.png", .unreadable),
            ("jpeg/icc-srgb.jpg", nil), ("jpeg/icc-display-p3.jpg", nil), ("jpeg/icc-grey.jpg", nil),
            ("jpeg/icc-in-five-segments.jpg", nil), ("jpeg/baseline-444-97x61.jpg", nil),
            ("png/rgb8-srgb-chunk.png", nil), ("png/rgb8-icc-channels-rotated.png", nil),
            ("png/rgb8-gamma-1.0.png", nil), ("jpeg/cmyk-adobe.jpg", nil),
        ] as [(String, ProfileProblem?)])
    func named(_ name: String, _ problem: ProfileProblem?) throws {
        #expect(try DecodedPicture(path: PictureFixture.named(name).path).profileProblem == problem)
    }

    @Test("A colour profile does not fit a grey picture, even after it was used for colour pictures")
    func knownProfile() throws {
        let coloured = try PictureFixture.named("jpeg/icc-srgb.jpg").path
        for _ in 0..<2 { #expect(try DecodedPicture(path: coloured).profileProblem == nil) }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: coloured))
        let marker = try #require(bytes.range(of: Data("ICC_PROFILE\0".utf8))).lowerBound - 4
        let length = 2 + Int(bytes[marker + 2]) << 8 + Int(bytes[marker + 3])
        var grey = try Data(contentsOf: URL(fileURLWithPath: PictureFixture.named("jpeg/grey-baseline.jpg").path))
        grey.insert(contentsOf: bytes[marker..<marker + length], at: 2)
        let scratch = TemporaryFolder()
        #expect(try DecodedPicture(path: scratch.write(grey, to: "grey.jpg")).profileProblem == .unfit)
    }

    @Test("The code points of sRGB take precedence over a profile, as the PNG specification requires")
    func codePointsOfSRGB() throws {
        let plain = try DecodedPicture(path: PictureFixture.named("png/rgb8-srgb-chunk.png").path)
        let picture = try decode("png/rgb8-gamma-1.0.png", with: [1, 13, 0, 1])
        #expect(picture.meanDifference(to: plain) == 0)
        let profiled = "png/rgb8-icc-channels-rotated.png"
        let rotated = try DecodedPicture(path: PictureFixture.named(profiled).path)
        #expect(try decode(profiled, with: [1, 13, 0, 1]).meanDifference(to: rotated) > 20)
    }

    @Test("Unsupported code points are reported, and the file's other colour data are used")
    func otherCodePoints() throws {
        let hdr = try decode("png/rgb8-srgb-chunk.png", with: [9, 16, 0, 1])
        #expect(hdr.profileProblem == .otherCodePoints(primaries: 9, transfer: 16))
        #expect(
            hdr.profileProblem?.description
                == "its colours are BT.2020 with PQ (high dynamic range) (cICP 9, 16), which are not converted")
        let plain = try DecodedPicture(path: PictureFixture.named("png/rgb8-srgb-chunk.png").path)
        #expect(hdr.meanDifference(to: plain) == 0)
        let profiled = try decode("png/rgb8-icc-channels-rotated.png", with: [9, 16, 0, 1])
        #expect(profiled.profileProblem == nil)
        let named = try PictureFixture.named("png/rgb8-icc-channels-rotated.png")
        #expect(profiled.meanDifference(to: try DecodedPicture(path: named.path)) == 0)
        // PNG has neither colour differences nor a narrow range, so these code points are not guessed at.
        for points: [UInt8] in [[12, 13, 1, 1], [12, 13, 0, 0], [2, 13, 0, 1], [12, 18, 0, 1], [0, 0, 0, 1]] {
            let told = try decode("png/rgb8-srgb-chunk.png", with: points).profileProblem
            #expect(told == .otherCodePoints(primaries: points[0], transfer: points[1]))
        }
        // Chunks of three or five bytes are ignored.
        #expect(try decode("png/rgb8-srgb-chunk.png", with: [9, 16, 0]).profileProblem == nil)
    }

    private func decode(_ name: String, with codePoints: [UInt8]) throws -> DecodedPicture {
        let plain = try Data(contentsOf: URL(fileURLWithPath: PictureFixture.named(name).path))
        let scratch = TemporaryFolder()
        let bytes = PNGChunk(type: "cICP", data: codePoints).inserted(into: plain)
        return try DecodedPicture(path: scratch.write(bytes, to: "picture.png"))
    }
}
