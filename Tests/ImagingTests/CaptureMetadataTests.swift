import Foundation
import Imaging
import TestSupport
import Testing

@Suite("Camera data that are shown, without the location")
struct CaptureMetadataTests {
    private let scratch = TemporaryFolder()

    private static let full = ExifSample(
        picture: [
            0x010F: .text("Canon"), 0x0110: .text("Canon EOS 5D"), 0x0112: .short(6),
            0x0132: .text("2024:02:02 02:02:02"),
        ],
        capture: [
            0x829A: .fractions([(1, 250)]), 0x829D: .fractions([(8, 1)]), 0x8827: .short(100),
            0x9003: .text("2019:07:04 12:34:56"), 0x920A: .fractions([(35, 1)]), 0xA434: .text("EF35mm f/1.4L USM"),
            0x927C: .text("Canon\0 maker's note with a serial number"),
        ],
        location: [1: .text("N"), 2: .fractions([(48, 1), (51, 1), (296, 10)])])

    @Test(
        "All known camera data are read from JPEG and PNG, in either byte order", arguments: [false, true],
        ["jpeg", "png"])
    func everything(_ isBigEndian: Bool, _ format: String) throws {
        var sample = Self.full
        sample.isBigEndian = isBigEndian
        let metadata = try metadata(sample, format)
        #expect(metadata.taken == "2019-07-04T12:34:56")
        #expect(metadata.camera == "Canon EOS 5D")
        #expect(metadata.lens == "EF35mm f/1.4L USM")
        #expect(metadata.exposure == "1/250 s, f/8, ISO 100, 35 mm")
        // The orientation is read from the same data.
        #expect((metadata.width, metadata.height) == (format == "jpeg" ? (61, 97) : (64, 96)))
    }

    @Test("A picture without EXIF, or with invalid EXIF, has no camera data and is no failure")
    func nothing() throws {
        for name in [
            "jpeg/size-16x16.jpg", "exif/exif-ifd-loop.jpg", "exif/exif-bad-ifd-offset.jpg", "exif/exif-empty.jpg",
        ] {
            let metadata = try Self.maker.metadata(ofOriginalAt: PictureFixture.named(name).path)
            #expect(
                [metadata.taken, metadata.camera, metadata.lens, metadata.exposure] == [nil, nil, nil, nil], "\(name)")
        }
    }

    @Test(
        "An impossible date is ignored",
        arguments: [
            "0000:00:00 00:00:00", "    :  :     :  :  ", "2019:13:04 12:34:56", "2019:02:29 12:00:00",
            "2019:07:04 24:00:00",
            "2019:07:04", "2019:7:4 1:2:3", "٢٠١٩:07:04 12:34:56", "2019:07:04 12:34:56.5", "-019:07:04 12:34:56",
        ])
    func impossibleDate(_ text: String) throws {
        #expect(try metadata(ExifSample(capture: [0x9003: .text(text)])).taken == nil)
        // The time of digitizing is used if the time of the original is invalid.
        let both = ExifSample(capture: [0x9003: .text(text), 0x9004: .text("2020:02:29 23:59:60")])
        #expect(try metadata(both).taken == "2020-02-29T23:59:60")
    }

    @Test(
        "A model that begins with the maker's name does not repeat the maker",
        arguments: [
            ("NIKON CORPORATION", "NIKON D90", "NIKON D90"), ("SONY", "ILCE-7M3", "SONY ILCE-7M3"),
            ("Apple", "iPhone 12", "Apple iPhone 12"), (nil, "FinePix S2", "FinePix S2"), ("Leica", nil, nil),
            ("OLYMPUS IMAGING CORP.  ", "E-M5   ", "OLYMPUS IMAGING CORP. E-M5"),
            ("a\u{1B}[31mb", "a\u{7F}\nc", "a c"), ("", "  ", nil),
        ] as [(String?, String?, String?)])
    func camera(_ maker: String?, _ model: String?, _ shown: String?) throws {
        var sample = ExifSample()
        sample.picture[0x010F] = maker.map { .text($0) }
        sample.picture[0x0110] = model.map { .text($0) }
        #expect(try metadata(sample).camera == shown)
    }

    @Test(
        "Exposures are written as photographers write them",
        arguments: [
            ((10, 2500), nil, nil, nil, "1/250 s"), ((1, 3), nil, nil, nil, "0.3 s"),
            ((10, 13), nil, nil, nil, "0.8 s"),
            ((30, 1), (28, 10), nil, nil, "30 s, f/2.8"), (nil, (95, 10), 6400, nil, "f/9.5, ISO 6400"),
            (nil, nil, 65535, (425, 100), "4.3 mm"), ((0, 1), (0, 1), 0, (0, 1), nil),
            ((1, 0), (1, 0), nil, (1, 0), nil),
            ((1, 4_000_000_000), nil, nil, nil, nil),
            ((4_000_000_000, 1), (4_000_000_000, 3), nil, (4_000_000_000, 1), nil),
        ] as [((UInt32, UInt32)?, (UInt32, UInt32)?, UInt16?, (UInt32, UInt32)?, String?)])
    func exposure(
        _ time: (UInt32, UInt32)?, _ aperture: (UInt32, UInt32)?, _ iso: UInt16?, _ length: (UInt32, UInt32)?,
        _ shown: String?
    ) throws {
        var sample = ExifSample()
        sample.capture[0x829A] = time.map { .fractions([$0]) }
        sample.capture[0x829D] = aperture.map { .fractions([$0]) }
        sample.capture[0x8827] = iso.map { .short($0) }
        sample.capture[0x920A] = length.map { .fractions([$0]) }
        #expect(try metadata(sample).exposure == shown)
    }

    @Test("A lens without a name is described by its numbers, as far as they are known")
    func lens() throws {
        func lens(_ numbers: [(UInt32, UInt32)]) throws -> String? {
            try metadata(ExifSample(capture: [0xA432: .fractions(numbers)])).lens
        }
        #expect(try lens([(24, 1), (70, 1), (28, 10), (4, 1)]) == "24-70 mm f/2.8-4")
        #expect(try lens([(50, 1), (50, 1), (18, 10), (18, 10)]) == "50 mm f/1.8")
        #expect(try lens([(50, 1), (50, 1), (0, 0), (0, 0)]) == "50 mm")
        #expect(try lens([(0, 0), (0, 0), (0, 0), (0, 0)]) == nil)
        #expect(try lens([(50, 1)]) == nil)
    }

    @Test("Numbers in place of texts are ignored, and texts in place of numbers too")
    func wrongTypes() throws {
        let sample = ExifSample(
            picture: [0x0110: .short(7)],
            capture: [
                0x829A: .text("1/250"), 0x829D: .short(8), 0x8827: .text("ISO"), 0x9003: .long(7), 0xA434: .long(9),
            ])
        let metadata = try metadata(sample)
        #expect([metadata.taken, metadata.camera, metadata.lens, metadata.exposure] == [nil, nil, nil, nil])
    }

    @Test("If all entries refer to the same 50 KB, reading ends when the file has used its share of memory")
    func amplification() throws {
        let filler = String(repeating: "x", count: 50_000)
        var sample = ExifSample(
            picture: [0x0112: .short(6), 0x0131: .text(filler)], capture: [0xA434: .text("A lens")])
        #expect(try metadata(sample).lens == "A lens")
        for tag in 0x0100...0x0220 where sample.picture[UInt16(tag)] == nil {
            sample.picture[UInt16(tag)] = .raw(type: 2, count: 50_000, value: 2_000)
        }
        for range in [0x8822...0x8840, 0x9000...0x9300, 0xA000...0xA010, 0xA200...0xA220, 0xA401...0xA433] {
            for tag in range { sample.capture[UInt16(tag)] = .raw(type: 2, count: 50_000, value: 2_000) }
        }
        let metadata = try metadata(sample)
        #expect(metadata.lens == nil)
        #expect((metadata.width, metadata.height) == (61, 97))
    }

    @Test("EXIF of random bytes is read without a crash", arguments: 1...4)
    func damaged(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let plain = try Data(contentsOf: URL(fileURLWithPath: PictureFixture.named("jpeg/size-16x16.jpg").path))
        let whole = Self.full.jpeg(around: plain)
        for _ in 0..<100 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 12..<bytes.count - plain.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            let metadata = try Self.maker.metadata(ofOriginalAt: scratch.write(bytes, to: "damaged.jpg"))
            #expect(metadata.width == 16)
            for text in [metadata.taken, metadata.camera, metadata.lens, metadata.exposure].compactMap({ $0 }) {
                #expect(!text.isEmpty && text.count <= 201 && !text.contains(where: \.isNewline))
            }
        }
    }

    private static let maker = DerivativeMaker(
        options: DerivativeOptions(
            widths: [16], quality: 80, filter: .none, publishesUnfiltered: false, maxPixels: 1_000_000))

    private func metadata(_ sample: ExifSample, _ format: String = "jpeg") throws -> ImageMetadata {
        let name = format == "jpeg" ? "jpeg/baseline-444-97x61.jpg" : "png/rgba8.png"
        let plain = try Data(contentsOf: URL(fileURLWithPath: PictureFixture.named(name).path))
        let bytes = format == "jpeg" ? sample.jpeg(around: plain) : sample.png(around: plain)
        return try Self.maker.metadata(ofOriginalAt: scratch.write(bytes, to: "sample.\(format)"))
    }
}
