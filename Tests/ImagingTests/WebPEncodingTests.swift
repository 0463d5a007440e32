import Foundation
import Imaging
import PhotoModel
import Synchronization
import TestSupport
import Testing

@Suite("WebP beside JPEG and PNG is as good as they are")
struct WebPEncodingTests {
    private let scratch = TemporaryFolder()

    @Test(
        "WebP is as similar to the picture as the JPEG of the same quality, and smaller",
        arguments: [(30, 0.945), (60, 0.97), (75, 0.98), (82, 0.988), (90, 0.993), (95, 0.995)])
    func quality(_ quality: Int, least: Double) throws {
        let name = "png/rgb8-srgb-chunk.png"
        let original = try DecodedPicture(path: PictureFixture.named(name).path)
        let files = try make(name, widths: [original.shape.width], filter: "none", quality: quality)
        #expect(files.specs.map(\.format) == [.jpeg, .webp])
        let likeness = try files.specs.map { structuralSimilarity(try picture($0), original) }
        #expect(likeness[1] > max(least, likeness[0] - 0.01), "JPEG \(likeness[0]), WebP \(likeness[1])")
        let bytes = files.specs.map { files.bytes[$0] ?? 0 }
        #expect(bytes[1] < bytes[0], "JPEG \(bytes[0]), WebP \(bytes[1])")
    }

    @Test(
        "WebP pixels are in place at any size, to the last row and column",
        arguments: [1, 2, 15, 17, 31, 33, 63, 64, 96])
    func sizes(_ width: Int) throws {
        let files = try make("png/rgb8-srgb-chunk.png", widths: [width], filter: "none", quality: 89)
        let (jpeg, webp) = try (picture(files.specs[0]), picture(files.specs[1]))
        #expect(webp.shape == jpeg.shape)
        #expect(webp.meanDifference(to: jpeg) < 6, "mean difference: \(webp.meanDifference(to: jpeg)) levels")
    }

    @Test("Both formats have the same filter")
    func filtered() throws {
        let files = try make("png/rgb8-srgb-chunk.png", widths: [96], filter: "grayscale(1)", quality: 90)
        #expect(files.specs.map(\.kind) == [.filtered, .unfiltered, .filtered, .unfiltered])
        #expect(files.specs.map(\.format) == [.jpeg, .jpeg, .webp, .webp])
        for (jpeg, webp) in [(0, 2), (1, 3)] {
            #expect(try picture(files.specs[webp]).meanDifference(to: picture(files.specs[jpeg])) < 4)
        }
        #expect(try picture(files.specs[2]).meanDifference(to: picture(files.specs[3])) > 10)
    }

    @Test(
        "Transparency is the same as in the PNG, to the bit, even if only part of the picture has any",
        arguments: ["png/rgba8.png", "png/rgba8-interlaced.png"])
    func transparency(_ name: String) throws {
        let files = try make(name, widths: [33, 96], filter: "none", quality: 82)
        #expect(files.specs.map(\.format) == [.png, .png, .webp, .webp])
        for (first, second) in [(0, 2), (1, 3)] {
            try expectTheSameTransparency(picture(files.specs[first]), picture(files.specs[second]))
        }
    }

    @Test("A half-opaque picture keeps its transparent half")
    func halfVisible() throws {
        let path = "\(PictureFixture.fixtures)/half-visible.png"
        let options = try options([64], "none", quality: 82)
        let metadata = try DerivativeMaker(options: options).metadata(ofOriginalAt: path)
        let specs = DerivativeSpec.all(original: Digest(of: path), picture: metadata, options: options)
        _ = try DerivativeMaker(options: options).make(specs, original: path, into: scratch.path) { false }
        let (png, webp) = try (picture(specs[0]), picture(specs[1]))
        try expectTheSameTransparency(png, webp)
    }

    @Test("A WebP file contains nothing but the picture")
    func metadata() throws {
        let files = try make("exif/landscape-6.jpg", widths: [64], filter: "none", quality: 82)
        let bytes = try scratch.bytes(of: files.specs[1].fileName)
        #expect(bytes.prefix(4) == Data("RIFF".utf8) && bytes.dropFirst(8).prefix(8) == Data("WEBPVP8 ".utf8))
        #expect(Int(files.bytes[files.specs[1]] ?? 0) == bytes.count)
    }

    @Test("Encoding can be cancelled at any moment, also within compression, and leaves nothing")
    func cancellation() throws {
        let name = "exif/landscape-1.jpg"
        let asked = Mutex(0)
        let files = try specs(of: name, widths: [300], filter: "none", quality: 82)
        func make(cancellingAt moment: Int) throws {
            asked.withLock { $0 = 0 }
            _ = try DerivativeMaker(options: files.options).make(
                files.specs, original: PictureFixture.named(name).path, into: scratch.path
            ) {
                asked.withLock { count in
                    count += 1
                    return count >= moment
                }
            }
        }
        try make(cancellingAt: .max)
        let moments = asked.withLock { $0 }
        for file in try scratch.contents() { try FileManager.default.removeItem(atPath: "\(scratch.path)/\(file)") }
        #expect(moments > 30, "the cancellation is checked within compression")
        for moment in stride(from: moments, through: 1, by: -7) {
            #expect(throws: ImagingError.cancelled) { try make(cancellingAt: moment) }
            #expect(try scratch.contents() == [])
        }
    }

    @Test("A missing file is written alone, and is the same")
    func alone() throws {
        let files = try make("exif/landscape-6.jpg", widths: [40, 80], filter: "sepia(0.8)", quality: 82)
        for spec in files.specs where spec.format == .webp {
            let before = try scratch.bytes(of: spec.fileName)
            try FileManager.default.removeItem(atPath: "\(scratch.path)/\(spec.fileName)")
            let path = try PictureFixture.named("exif/landscape-6.jpg").path
            _ = try DerivativeMaker(options: files.options).make([spec], original: path, into: scratch.path) { false }
            #expect(try scratch.bytes(of: spec.fileName) == before)
        }
    }

    private func expectTheSameTransparency(_ one: DecodedPicture, _ other: DecodedPicture) throws {
        #expect(one.shape == other.shape && one.shape.channels == 4)
        let alphas = [one, other].map { picture in
            stride(from: 3, to: picture.bytes.count, by: 4).map { picture.bytes[$0] }
        }
        #expect(alphas[0] == alphas[1])
        #expect(Set(alphas[0]).count > 1, "the fixture has several levels of opacity")
    }

    private func options(_ widths: [Int], _ filter: String, quality: Int) throws -> DerivativeOptions {
        DerivativeOptions(
            widths: widths, quality: quality, formats: .jpegAndWebP, filter: try FilterChain(parsing: filter),
            publishesUnfiltered: true, maxPixels: 1_000_000)
    }

    private func specs(
        of name: String, widths: [Int], filter: String, quality: Int
    ) throws -> (specs: [DerivativeSpec], options: DerivativeOptions) {
        let options = try options(widths, filter, quality: quality)
        let metadata = try DerivativeMaker(options: options).metadata(ofOriginalAt: PictureFixture.named(name).path)
        return (DerivativeSpec.all(original: Digest(of: name), picture: metadata, options: options), options)
    }

    /// Writes all derivatives of a fixture into the scratch folder.
    private func make(
        _ name: String, widths: [Int], filter: String, quality: Int
    ) throws -> (specs: [DerivativeSpec], bytes: [DerivativeSpec: Int64], options: DerivativeOptions) {
        let (specs, options) = try specs(of: name, widths: widths, filter: filter, quality: quality)
        let maker = DerivativeMaker(options: options)
        let made = try maker.make(specs, original: PictureFixture.named(name).path, into: scratch.path) { false }
        #expect(Set(made.bytes.keys) == Set(specs))
        return (specs, made.bytes, options)
    }

    private func picture(_ spec: DerivativeSpec) throws -> DecodedPicture {
        try DecodedPicture(path: "\(scratch.path)/\(spec.fileName)")
    }
}
