import Foundation
import Imaging
import PhotoModel
import Synchronization
import TestSupport
import Testing

@Suite("One pass over an original writes all its derivatives, or none")
struct DerivativeMakerTests {
    private let scratch = TemporaryFolder()

    @Test("Every orientation becomes the upright photograph", arguments: 2...8)
    func orientations(_ number: Int) throws {
        let upright = try make("exif/landscape-1.jpg", widths: [320, 640], filter: "none")
        let turned = try make("exif/landscape-\(number).jpg", widths: [320, 640], filter: "none")
        for (one, other) in zip(upright, turned) {
            #expect((one.width, one.height) == (other.width, other.height))
            let difference = try picture(one).meanDifference(to: picture(other))
            #expect(difference < 3, "mean difference: \(difference) levels")
        }
    }

    @Test("A chain of reductions turns every orientation upright", arguments: 1...8)
    func turnedChains(_ number: Int) throws {
        let widths = [80, 160, 320]
        let reference = try make("exif/landscape-1.jpg", widths: widths, filter: "none").map(picture)
        let turned = try make("exif/landscape-\(number).jpg", widths: widths, filter: "none")
        #expect(turned.map(\.width) == widths)
        for (spec, upright) in zip(turned, reference) {
            #expect((spec.width, spec.height) == (upright.shape.width, upright.shape.height))
            let difference = try picture(spec).meanDifference(to: upright)
            #expect(difference < 3, "mean difference at \(spec.width) pixels: \(difference) levels")
        }
    }

    @Test(
        "A JPEG looks the same in every colour space and sampling",
        arguments: [
            ("jpeg/cmyk-adobe.jpg", 4.0), ("jpeg/ycck-adobe.jpg", 4.0), ("jpeg/cmyk-no-adobe-marker.jpg", 4.0),
            ("jpeg/rgb-adobe-transform-0.jpg", 4.0), ("jpeg/rgb-component-ids.jpg", 4.0), ("jpeg/arithmetic.jpg", 4.0),
            ("jpeg/arithmetic-progressive.jpg", 4.0), ("jpeg/progressive-444-97x61.jpg", 0.5),
            ("jpeg/restart-every-mcu.jpg", 4.0),
            ("jpeg/ycc-no-jfif-no-adobe.jpg", 4.0), ("jpeg/no-huffman-tables.jpg", 4.0),
            ("jpeg/baseline-422-97x61.jpg", 6.0), ("jpeg/baseline-420-97x61.jpg", 6.0),
            ("jpeg/baseline-440-97x61.jpg", 6.0), ("jpeg/baseline-411-97x61.jpg", 10.0),
            ("jpeg/baseline-410-97x61.jpg", 10.0), ("jpeg/ycck-adobe-420-progressive.jpg", 6.0),
            ("jpeg/no-eoi.jpg", 4.0), ("jpeg/two-pictures-in-one-file.jpg", 4.0), ("hostile/jpeg-named.png", 4.0),
        ])
    func likeness(_ name: String, tolerance: Double) throws {
        let reference = try DecodedPicture(path: PictureFixture.named("jpeg/baseline-444-97x61.jpg").path)
        let difference = try DecodedPicture(path: PictureFixture.named(name).path).meanDifference(to: reference)
        #expect(difference < tolerance, "mean difference: \(difference) levels")
    }

    @Test("A filtered file is the filter of the unfiltered one")
    func filtered() throws {
        let specs = try make("png/rgb8-srgb-chunk.png", widths: [96], filter: "grayscale(1)")
        let (grey, colour) = (try picture(specs[0]), try picture(specs[1]))
        #expect(specs.map(\.kind) == [.filtered, .unfiltered])
        for pixel in stride(from: 0, to: grey.bytes.count, by: 3 * 37) {
            #expect(abs(Int(grey.bytes[pixel]) - Int(grey.bytes[pixel + 2])) <= 2)
        }
        #expect(grey.meanDifference(to: colour) > 10)
    }

    @Test("Transparency is kept, and visible pixels keep their colour")
    func transparency() throws {
        let specs = try make("png/rgba8.png", widths: [48, 96], filter: "none")
        let original = try DecodedPicture(path: PictureFixture.named("png/rgba8.png").path)
        #expect(try picture(specs[1]).bytes == original.bytes)
        #expect(try picture(specs[0]).shape.channels == 4)
        #expect(Set(stride(from: 3, to: original.bytes.count, by: 4).map { original.bytes[$0] }).count > 1)
    }

    @Test("Decoding at a fraction of the size looks like decoding all and reducing", arguments: [2, 4, 8])
    func shrinking(_ shrink: Int) throws {
        let original = try PictureFixture.named("exif/landscape-1.jpg")
        let shrunk = try DecodedPicture(path: original.path, shrink: shrink)
        #expect((shrunk.shape.width, shrunk.shape.height) == (640 / shrink, 352 / shrink))
        let whole = try reduced(try DecodedPicture(path: original.path), to: shrunk.shape)
        #expect(meanDifference(whole, shrunk.bytes) < 3)
    }

    @Test("A JPEG twice as wide as the widest size is decoded whole, and not at half its size")
    func shrinkingLimit() throws {
        let original = try PictureFixture.named("exif/landscape-1.jpg")
        let options = DerivativeOptions(
            widths: [320], quality: 100, filter: .none, publishesUnfiltered: false, maxPixels: 1_000_000)
        let maker = DerivativeMaker(options: options)
        let spec = DerivativeSpec.all(
            original: Digest(of: "landscape"), picture: try maker.metadata(ofOriginalAt: original.path),
            options: options)[
                0]
        _ = try maker.make([spec], original: original.path, into: scratch.path) { false }
        let whole = try reduced(
            try DecodedPicture(path: original.path), to: RowShape(width: 320, height: 176, channels: 3))
        let difference = meanDifference(whole, try picture(spec).bytes)
        #expect(difference < 0.5, "mean difference: \(difference) levels")
    }

    @Test("A missing file is written again exactly as it was, whichever others are written with it")
    func subsets() throws {
        let name = "exif/landscape-6.jpg"
        let specs = try make(name, widths: [100, 250, 300, 640], filter: "sepia(0.8)")
        let before = try specs.map { try scratch.bytes(of: $0.fileName) }
        for (spec, bytes) in zip(specs, before) {
            let alone = TemporaryFolder()
            let maker = DerivativeMaker(options: try options([100, 250, 300, 640], "sepia(0.8)"))
            let made = try maker.make([spec], original: PictureFixture.named(name).path, into: alone.path) { false }
            #expect(made.bytes == [spec: Int64(bytes.count)])
            #expect(try alone.contents() == [spec.fileName])
            #expect(try alone.bytes(of: spec.fileName) == bytes)
        }
    }

    @Test("A cancelled run leaves nothing behind, wherever it stops", arguments: [0, 1, 2, 5, 20])
    func cancelled(_ patience: Int) throws {
        for name in ["exif/landscape-6.jpg", "png/rgba8-interlaced.png", "jpeg/progressive-444-97x61.jpg"] {
            let asked = Mutex(0)
            do {
                let specs = try specs(of: name, widths: [40, 90], filter: "sepia(0.8)")
                let maker = DerivativeMaker(options: try options([40, 90], "sepia(0.8)"))
                _ = try maker.make(specs, original: PictureFixture.named(name).path, into: scratch.path) {
                    asked.withLock { count in
                        count += 1
                        return count > patience
                    }
                }
                #expect(asked.withLock { $0 } <= patience)
                for spec in specs { try FileManager.default.removeItem(atPath: "\(scratch.path)/\(spec.fileName)") }
            } catch ImagingError.cancelled {
                #expect(asked.withLock { $0 } == patience + 1)
            }
            #expect(try scratch.contents() == [])
        }
    }

    @Test("The error about a missing folder names the file")
    func noFolder() throws {
        let specs = try specs(of: "jpeg/size-16x16.jpg", widths: [16], filter: "none")
        let maker = DerivativeMaker(options: try options([16], "none"))
        let error = #expect(throws: ImagingError.self) {
            try maker.make(
                specs, original: PictureFixture.named("jpeg/size-16x16.jpg").path, into: scratch.path + "/none"
            ) { false }
        }
        #expect(error == .write(path: "\(scratch.path)/none/\(specs[0].fileName)", errno: ENOENT))
    }

    @Test("If one file can't be put in place, none of the others stays")
    func nameTaken() throws {
        // A folder takes the path of one of the files, so the others must be removed too.
        let specs = try specs(of: "exif/landscape-1.jpg", widths: [100, 300], filter: "sepia(0.8)")
        let taken = "\(scratch.path)/\(specs[1].fileName)"
        try FileManager.default.createDirectory(atPath: taken + "/inside", withIntermediateDirectories: true)
        let maker = DerivativeMaker(options: try options([100, 300], "sepia(0.8)"))
        let error = #expect(throws: ImagingError.self) {
            try maker.make(
                specs, original: PictureFixture.named("exif/landscape-1.jpg").path, into: scratch.path
            ) { false }
        }
        #expect(error == .write(path: taken, errno: EISDIR))
        #expect(try scratch.contents() == [specs[1].fileName])
    }

    @Test("A missing original, or a folder in its place, is a read error and not a failure of the photo")
    func unreadable() throws {
        let maker = DerivativeMaker(options: try options([16], "none"))
        let missing = #expect(throws: ImagingError.self) { try maker.metadata(ofOriginalAt: scratch.path + "/gone") }
        #expect(missing == .read(path: scratch.path + "/gone", errno: ENOENT))
        let folder = #expect(throws: ImagingError.self) { try maker.metadata(ofOriginalAt: scratch.path) }
        #expect(folder == .read(path: scratch.path, errno: EISDIR))
    }

    @Test("A file that was replaced since its header was read is refused")
    func replaced() throws {
        let specs = try specs(of: "exif/landscape-1.jpg", widths: [300], filter: "none")
        let maker = DerivativeMaker(options: try options([300], "none"))
        #expect(throws: ImagingError.self) {
            try maker.make(
                specs, original: PictureFixture.named("jpeg/size-2000x3.jpg").path, into: scratch.path
            ) { false }
        }
        #expect(try scratch.contents() == [])
    }

    @Test("More pixels than allowed are refused by the header, to the pixel", arguments: ["jpeg", "png"])
    func pixelLimit(_ format: String) throws {
        let path = try PictureFixture.named(format == "png" ? "png/rgba8.png" : "exif/landscape-1.jpg").path
        let pixels = format == "png" ? 96 * 64 : 640 * 352
        #expect(throws: Never.self) {
            try DerivativeMaker(options: options([16], "none", maxPixels: pixels)).metadata(ofOriginalAt: path)
        }
        let error = #expect(throws: ImagingError.self) {
            try DerivativeMaker(options: options([16], "none", maxPixels: pixels - 1)).metadata(ofOriginalAt: path)
        }
        let (width, height) = format == "png" ? (96, 64) : (640, 352)
        #expect(error == .picture(.tooManyPixels(width: width, height: height, limit: pixels - 1)))
    }

    @Test("A picture too long for a JPEG, even when reduced, is refused by its header")
    func tooLong() throws {
        let path = PictureFixture.fixtures + "/grey-2x70000.png"
        let error = #expect(throws: ImagingError.self) {
            try DerivativeMaker(options: options([2], "none")).metadata(ofOriginalAt: path)
        }
        #expect(error == .picture(.unsupportedFormat("PNG of over 65500 pixels a side")))
        #expect(try DerivativeMaker(options: options([1], "none")).metadata(ofOriginalAt: path).height == 70000)
    }

    private func options(_ widths: [Int], _ filter: String, maxPixels: Int = 1_000_000) throws -> DerivativeOptions {
        DerivativeOptions(
            widths: widths, quality: 90, filter: try FilterChain(parsing: filter), publishesUnfiltered: true,
            maxPixels: maxPixels)
    }

    private func specs(of name: String, widths: [Int], filter: String) throws -> [DerivativeSpec] {
        let options = try options(widths, filter)
        let metadata = try DerivativeMaker(options: options).metadata(ofOriginalAt: PictureFixture.named(name).path)
        return DerivativeSpec.all(original: Digest(of: name), picture: metadata, options: options)
    }

    /// Writes all derivatives of a fixture into the scratch folder.
    private func make(_ name: String, widths: [Int], filter: String) throws -> [DerivativeSpec] {
        let specs = try specs(of: name, widths: widths, filter: filter)
        let maker = DerivativeMaker(options: try options(widths, filter))
        let made = try maker.make(specs, original: PictureFixture.named(name).path, into: scratch.path) { false }
        #expect(Set(made.bytes.keys) == Set(specs))
        return specs
    }

    private func reduced(_ picture: DecodedPicture, to target: RowShape) throws -> [UInt8] {
        let rows = CollectedRows(target)
        let size = (Double(picture.shape.width), Double(picture.shape.height))
        let reducer = RowReducer(from: picture.shape, extent: size, to: target, next: rows)
        try picture.bytes.withUnsafeBufferPointer { bytes in
            for row in 0..<picture.shape.height {
                try reducer.consume(try #require(bytes.baseAddress) + row * picture.shape.bytesPerRow)
            }
        }
        return rows.bytes
    }

    /// The mean difference of two pictures of the same size, in levels.
    private func meanDifference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(one.count)
    }

    private func picture(_ spec: DerivativeSpec) throws -> DecodedPicture {
        try DecodedPicture(path: "\(scratch.path)/\(spec.fileName)")
    }
}
