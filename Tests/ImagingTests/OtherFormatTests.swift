import Foundation
import Imaging
import PhotoModel
import TestSupport
import Testing

@Suite("WebP and GIF are read like JPEG and PNG")
struct OtherFormatTests {
    @Test(
        "The pixels are those that an independent decoder finds",
        arguments: [
            ("lossless.webp", 0.0), ("lossless-alpha.webp", 0), ("lossy.webp", 1), ("lossy-alpha.webp", 1),
            ("animated.webp", 0), ("plain.gif", 0), ("interlaced.gif", 0), ("transparent.gif", 0), ("offset.gif", 0),
            ("moving.gif", 0),
        ])
    func pixels(_ name: String, tolerance: Double) throws {
        let expected = try DecodedPicture(path: path(name.prefix { $0 != "." } + ".expected.png"))
        let picture = try DecodedPicture(path: path(name))
        #expect(picture.shape == expected.shape)
        guard picture.shape == expected.shape else { return }
        let largest = zip(picture.bytes, expected.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(Double(largest) <= 3 * tolerance, "largest difference: \(largest)")
        #expect(picture.meanDifference(to: expected) <= tolerance)
    }

    @Test("A WebP's orientation, camera data and colours are read from its own chunks")
    func metadata() throws {
        let decoder = try openPicture(try OriginalFile(path: path("exif-profile.webp")), maxPixels: 10_000)
        #expect(decoder.header.orientation == .quarterClockwise)
        #expect((decoder.header.width, decoder.header.height) == (47, 61))
        #expect(decoder.header.metadata.taken == "2019-07-04T12:34:56")
        #expect(decoder.header.metadata.camera == "D90")
        let converted = try DecodedPicture(path: path("exif-profile.webp"))
        let plain = try DecodedPicture(path: path("lossless.webp"))
        #expect(converted.meanDifference(to: plain) > 1)
        #expect(converted.profileProblem == nil)
    }

    @Test(
        "A file cut off anywhere is refused, as truncated or corrupt",
        arguments: [
            "lossless.webp", "lossy-alpha.webp", "animated.webp", "plain.gif", "interlaced.gif", "transparent.gif",
        ])
    func cut(_ name: String) throws {
        let scratch = TemporaryFolder()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path(name)))
        // The frames after the first, and the trailer of a GIF, may be missing.
        let needed = name == "animated.webp" ? 60 : whole.count - (name.hasSuffix(".gif") ? 4 : 1)
        for length in stride(from: 13, through: needed, by: max(1, needed / 40)) {
            let cut = try scratch.write(whole.prefix(length), to: "cut")
            let error = #expect(throws: ImagingError.self, "\(length) of \(whole.count) bytes") {
                _ = try DecodedPicture(path: cut)
            }
            guard case .picture(let failure)? = error else { continue }
            #expect([ReasonCode.truncated, .corrupt].contains(Reason(failure).code), "\(length) bytes: \(failure)")
        }
    }

    @Test("Bytes changed at random give a picture or a reason", arguments: 1...6)
    func changed(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let scratch = TemporaryFolder()
        for name in [
            "lossless-alpha.webp", "lossy.webp", "exif-profile.webp", "animated.webp", "interlaced.gif", "offset.gif",
        ] {
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path(name)))
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 12..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            do {
                let decoder = try openPicture(
                    try OriginalFile(path: scratch.write(bytes, to: name)), maxPixels: 1_000_000)
                let shape = try decoder.start(shrink: 1)
                try decoder.decodeColours(shape, into: CollectedRows(shape)) { false }
            } catch ImagingError.picture {
                // A refusal with a reason is correct too.
            }
        }
    }

    @Test("More pixels than allowed are refused by the header", arguments: ["lossy.webp", "plain.gif"])
    func pixelLimit(_ name: String) throws {
        #expect(throws: Never.self) { try openPicture(try OriginalFile(path: path(name)), maxPixels: 61 * 47) }
        let error = #expect(throws: ImagingError.self) {
            try openPicture(try OriginalFile(path: path(name)), maxPixels: 61 * 47 - 1)
        }
        #expect(error == .picture(.tooManyPixels(width: 61, height: 47, limit: 61 * 47 - 1)))
    }

    @Test(
        "Derivatives are JPEG, and PNG where something may be transparent",
        arguments: ["lossy.webp", "transparent.gif"])
    func derivatives(_ name: String) throws {
        let scratch = TemporaryFolder()
        let options = DerivativeOptions(
            widths: [20, 40], quality: 80, filter: .standard, publishesUnfiltered: true, maxPixels: 10_000)
        let maker = DerivativeMaker(options: options)
        let metadata = try maker.metadata(ofOriginalAt: path(name))
        let specs = DerivativeSpec.all(original: Digest(of: name), picture: metadata, options: options)
        let made = try maker.make(specs, original: path(name), into: scratch.path) { false }
        #expect(made.bytes.count == 3)
        #expect(try scratch.contents().allSatisfy { $0.hasSuffix(name == "lossy.webp" ? ".jpg" : ".png") })
    }

    private func path(_ name: some StringProtocol) -> String { "\(PictureFixture.fixtures)/other/\(name)" }
}
