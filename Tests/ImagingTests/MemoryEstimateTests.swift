import Foundation
import Imaging
import Testing

@Suite("A photo's memory use is estimated from its header")
struct MemoryEstimateTests {
    @Test(
        "A progressive JPEG holds its coefficients, an interlaced PNG its pixels, and other files hold neither",
        arguments: [
            // Blocks have 64 coefficients of 16 bits, and are rounded up to a multiple of the sampling factors.
            ("jpeg/progressive-444-97x61.jpg", 13 * 8 * 3 * 128),
            ("jpeg/progressive-420-97x61.jpg", 14 * 8 * 3 / 2 * 128),
            ("jpeg/grey-progressive.jpg", 13 * 8 * 128), ("jpeg/baseline-420-97x61.jpg", 0),
            ("png/rgba8-interlaced.png", 96 * 64 * 4), ("pngsuite/basi2c08.png", 32 * 32 * 3), ("png/rgba8.png", 0),
        ])
    func held(_ name: String, bytes: Int) throws {
        #expect(try header(name).decoderBytes == bytes)
    }

    @Test("The cost of a decompression bomb is known before anything is allocated for it")
    func bomb() throws {
        let header = try header("hostile/progressive-scan-bomb.jpg", maxPixels: 40_000_000)
        let cost = try maker([320]).estimatedMemory(of: header)
        #expect(header.decoderBytes >= 2 * header.storedWidth * header.storedHeight)
        #expect(cost > header.decoderBytes)
    }

    @Test("A picture decoded in rows costs its rows, and a rotated one its reduced picture as well")
    func rows() throws {
        let upright = try header("exif/landscape-1.jpg")
        let turned = try header("exif/landscape-6.jpg")
        let (small, large) = try (maker([10]), maker([600]))
        let growth = large.estimatedMemory(of: turned) - small.estimatedMemory(of: turned)
        let uprightGrowth = large.estimatedMemory(of: upright) - small.estimatedMemory(of: upright)
        #expect(growth - uprightGrowth > 600 * 330 * 3 / 2)
        #expect(small.estimatedMemory(of: upright) < 4 << 20)
    }

    @Test("Each size of a chain costs its rotated picture, if the original is rotated")
    func rotatedChain() throws {
        let (upright, turned) = (try header("exif/landscape-1.jpg"), try header("exif/landscape-6.jpg"))
        let (chain, single) = try (maker([80, 160, 320]), maker([320]))
        let growth = chain.estimatedMemory(of: turned) - single.estimatedMemory(of: turned)
        let uprightGrowth = chain.estimatedMemory(of: upright) - single.estimatedMemory(of: upright)
        // The rows of the rotated original are shorter, so the reductions alone would cost less.
        #expect(growth > uprightGrowth)
    }

    @Test("Writing WebP costs the picture that is collected until its last row, and its compression")
    func webp() throws {
        let header = try header("exif/landscape-1.jpg")
        let seeThrough = try self.header("png/rgba8.png")
        let pixels = header.width * header.height
        func growth(_ header: PictureHeader) throws -> Int {
            try maker([header.width], formats: .jpegAndWebP).estimatedMemory(of: header)
                - maker([header.width]).estimatedMemory(of: header)
        }
        #expect(try growth(header) > pixels * 30)
        #expect(try growth(seeThrough) > seeThrough.width * seeThrough.height * 42)
    }

    @Test("Reading the header costs the whole file and some megabytes for WebP, and next to nothing for other formats")
    func headers() throws {
        let folder = "\(PictureFixture.fixtures)/other/"
        let maker = try maker([10])
        let size = try FileManager.default.attributesOfItem(atPath: folder + "animated.webp")[.size] as? Int
        let bytes = try #require(size)
        // An entropy image can refer back to 2²⁰ pixels.
        #expect(try bytes + 4 << 20..<bytes + 6 << 20 ~= maker.estimatedMemory(ofHeaderAt: folder + "animated.webp"))
        #expect(try maker.estimatedMemory(ofHeaderAt: folder + "moving.gif") == 0)
        #expect(try maker.estimatedMemory(ofHeaderAt: PictureFixture.named("exif/landscape-1.jpg").path) == 0)
    }

    private func header(_ name: String, maxPixels: Int = 1_000_000) throws -> PictureHeader {
        try maker([10], maxPixels: maxPixels).header(ofOriginalAt: PictureFixture.named(name).path)
    }

    private func maker(
        _ widths: [Int], formats: PublishedFormats = .jpeg, maxPixels: Int = 1_000_000
    ) throws -> DerivativeMaker {
        DerivativeMaker(
            options: DerivativeOptions(
                widths: widths, quality: 82, formats: formats, filter: .none, publishesUnfiltered: false,
                maxPixels: maxPixels))
    }
}
