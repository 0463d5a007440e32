import Foundation
import Imaging
import Testing

@Suite("The time that a photo takes, relative to others, is estimated before the work")
struct WorkEstimateTests {
    @Test(
        "A format that takes longer to decode counts for more than another of the same size",
        arguments: [
            ("jpeg/progressive-420-97x61.jpg", "jpeg/baseline-420-97x61.jpg"),
            ("png/rgba8.png", "png/rgb8-srgb-chunk.png"), ("png/rgba8-interlaced.png", "png/rgba8.png"),
            ("exif/landscape-6.jpg", "jpeg/baseline-420-97x61.jpg"),
        ])
    func kinds(_ longer: String, _ shorter: String) throws {
        #expect(try duration(longer) > duration(shorter))
    }

    @Test("A JPEG that is shrunk while it is decoded counts for less, and WebP beside it for much more")
    func options() throws {
        let whole = try duration("exif/landscape-1.jpg", widths: [10_000])
        #expect(try duration("exif/landscape-1.jpg", widths: [10]) < whole)
        #expect(try duration("exif/landscape-1.jpg", widths: [10_000], formats: .jpegAndWebP) > 3 * whole)
    }

    @Test("The header is kept for the next step, but not that of a WebP, which would hold memory")
    func header() throws {
        let maker = maker([10])
        let picture = try PictureFixture.named("png/rgba8.png").path
        #expect(try maker.estimateCost(originalAt: picture).header == maker.header(ofOriginalAt: picture))
        let folder = "\(PictureFixture.fixtures)/other/"
        let webp = try maker.estimateCost(originalAt: folder + "animated.webp")
        #expect(webp.header == nil)
        #expect(webp.duration > 0)
    }

    @Test("The memory for a photo is estimated too, for a WebP by its first bytes")
    func memory() throws {
        let maker = maker([10])
        let picture = try PictureFixture.named("jpeg/progressive-420-97x61.jpg").path
        let header = try maker.header(ofOriginalAt: picture)
        #expect(try maker.estimateCost(originalAt: picture).memory == maker.estimatedMemory(of: header))
        let webp = "\(PictureFixture.fixtures)/other/animated.webp"
        #expect(try maker.estimateCost(originalAt: webp).memory == maker.presumedMemory(ofWebPAt: webp))
    }

    @Test(
        "A file that is not an image, or has too many pixels, has no estimate",
        arguments: ["html-page.jpg", "pixel-bomb-60000x60000.png"])
    func refused(_ name: String) {
        #expect(throws: ImagingError.self) {
            try maker([10]).estimateCost(originalAt: PictureFixture.named("hostile/" + name).path)
        }
    }

    private func duration(_ name: String, widths: [Int] = [10], formats: PublishedFormats = .jpeg) throws -> Double {
        try maker(widths, formats: formats).estimateCost(originalAt: PictureFixture.named(name).path).duration
    }

    private func maker(_ widths: [Int], formats: PublishedFormats = .jpeg) -> DerivativeMaker {
        DerivativeMaker(
            options: DerivativeOptions(
                widths: widths, quality: 82, formats: formats, filter: .none, publishesUnfiltered: false,
                maxPixels: 1_000_000))
    }
}
