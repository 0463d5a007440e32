import Foundation
import Imaging
import PhotoModel
import TestSupport
import Testing

@Suite("The colour that is shown until a picture is loaded is the picture's average")
struct ColourSampleTests {
    @Test("Black and white in equal parts average to the grey of half the light, not of half the level")
    func light() throws {
        // Half of white's light is sRGB level 187.5 (IEC 61966-2-1).
        #expect(["#bbbbbb", "#bcbcbc"].contains(try colour("chequered.png")))
    }

    @Test("Transparent pixels do not count")
    func transparency() throws {
        #expect(try colour("half-visible.png") == "#c81e28")
        #expect(try colour("nothing-visible.png") == "transparent")
    }

    @Test("The average is that of the filtered picture, and nearly the same in every size")
    func filtered() throws {
        let scratch = TemporaryFolder()
        let path = try PictureFixture.named("exif/landscape-1.jpg").path
        let options = DerivativeOptions(
            widths: [100, 200, 640], quality: 90, filter: try FilterChain(parsing: "grayscale(1)"),
            publishesUnfiltered: true, maxPixels: 1_000_000)
        let maker = DerivativeMaker(options: options)
        let specs = DerivativeSpec.all(
            original: Digest(of: ""), picture: try maker.metadata(ofOriginalAt: path), options: options)
        _ = try maker.make(specs, original: path, into: scratch.path) { false }
        let colours = try specs.map { spec in
            let colour = try DerivativeMaker.colour(ofDerivativeAt: "\(scratch.path)/\(spec.fileName)")
            let number = try #require(Int(colour.dropFirst(), radix: 16))
            return (0..<3).map { number >> (16 - 8 * $0) & 255 }
        }
        for colour in colours.dropLast() {
            #expect((colour.max() ?? 0) - (colour.min() ?? 0) <= 2, "\(colour)")
            #expect(zip(colour, colours[0]).allSatisfy { abs($0 - $1) <= 2 }, "\(colour) and \(colours[0])")
        }
        // Pillow and numpy averaged the landscape's pixels in linear light.
        let expected = [139, 142, 135]
        #expect(zip(colours[3], expected).allSatisfy { abs($0 - $1) <= 2 }, "\(colours[3])")
    }

    private func colour(_ fixture: String) throws -> String {
        try DerivativeMaker.colour(ofDerivativeAt: "\(PictureFixture.fixtures)/\(fixture)")
    }
}
