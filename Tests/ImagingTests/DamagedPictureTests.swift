import Foundation
import Imaging
import PhotoModel
import TestSupport
import Testing

@Suite("Damaged files are refused and do no harm")
struct DamagedPictureTests {
    private let scratch = TemporaryFolder()
    private let options = DerivativeOptions(
        widths: [10, 40], quality: 82, filter: .none, publishesUnfiltered: false, maxPixels: 1_000_000)

    @Test(
        "A picture cut off anywhere is refused as truncated, corrupt or not an image",
        arguments: [
            "jpeg/size-33x31.jpg", "jpeg/progressive-444-97x61.jpg", "jpeg/arithmetic.jpg", "jpeg/cmyk-adobe.jpg",
            "pngsuite/basn6a16.png", "pngsuite/basi3p04.png", "png/palette64-trns.png",
        ])
    func cut(_ name: String) throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: PictureFixture.named(name).path))
        // A JPEG that lacks only a part of its end marker may have all its pixels.
        let last = name.hasSuffix(".jpg") ? whole.count - 3 : whole.count - 1
        for length in Array(stride(from: 0, to: last - 8, by: max(1, last / 150))) + Array(last - 8...last) {
            let path = try scratch.write(whole.prefix(length), to: "cut")
            let error = #expect(throws: ImagingError.self, "taken with \(length) of \(whole.count) bytes") {
                try make(path)
            }
            guard case .picture(let failure)? = error else { continue }
            let code = Reason(failure).code
            #expect([ReasonCode.truncated, .corrupt, .notAnImage].contains(code), "\(length) bytes: \(failure)")
        }
    }

    @Test("Bytes changed at random give a picture or a reason", arguments: 1...30)
    func changed(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let names = [
            "jpeg/size-33x31.jpg", "jpeg/progressive-410-97x61.jpg", "jpeg/arithmetic.jpg", "jpeg/ycck-adobe.jpg",
            "exif/exif-ifd-loop.jpg", "jpeg/restart-every-row.jpg", "pngsuite/basi6a08.png", "pngsuite/exif2c08.png",
            "png/rgb16-icc-prophoto.png", "pngsuite/tm3n3p02.png",
        ]
        for name in names {
            var bytes = try Data(contentsOf: URL(fileURLWithPath: PictureFixture.named(name).path))
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<min(bytes.count, 4000), using: &random)] = .random(in: 0...255, using: &random)
            }
            let path = try scratch.write(bytes, to: "changed")
            do {
                try make(path)
            } catch ImagingError.picture {
                // Every reason is accepted: the test only requires that there is one.
            }
        }
    }

    @Test("A progressive file of thousands of scans is given up after a hundred")
    func scanBomb() throws {
        let path = try PictureFixture.named("hostile/progressive-scan-bomb.jpg").path
        let generous = DerivativeOptions(
            widths: [10], quality: 82, filter: .none, publishesUnfiltered: false, maxPixels: 40_000_000)
        let metadata = try DerivativeMaker(options: generous).metadata(ofOriginalAt: path)
        let specs = DerivativeSpec.all(original: Digest(of: path), picture: metadata, options: generous)
        let error = #expect(throws: ImagingError.self) {
            try DerivativeMaker(options: generous).make(specs, original: path, into: scratch.path) { false }
        }
        #expect(error == .picture(.corrupt("more than 100 scans")))
    }

    @Test(
        "The reason for a file that is not an image names what the file is",
        arguments: [
            ("<!DOCTYPE html><p>Not found", Failure.notAnImage(.webPage)),
            ("\u{FEFF}\n <HTML lang=en>", .notAnImage(.webPage)),
            ("<body onload='go()'>", .notAnImage(.webPage)), ("<p>no", .notAnImage(.webPage)),
            ("<!-- busy --><Error/>", .notAnImage(.webPage)), ("<script>", .notAnImage(.webPage)),
            ("<br>", .notAnImage(.webPage)), ("<A HREF=/>Moved</A>", .notAnImage(.webPage)),
            ("<article/>", .notAnImage(.xml)), ("<plist/>", .notAnImage(.xml)),
            ("<?xml version='1.0'?><Error/>", .notAnImage(.xml)),
            ("<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", .notAnImage(.webPage)),
            ("<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>", .unsupportedFormat("SVG")),
            ("{\"error\":404}", .notAnImage(.json)),
            ("version https://git-lfs.github.com/spec/v1", .notAnImage(.text)),
            ("", .notAnImage(.empty)),
            ("%PDF-1.7", .notAnImage(.pdf)),
            ("PK\u{3}\u{4}", .notAnImage(.compressed)),
            ("GIF89a", .truncated), ("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ", .truncated),
            ("\0\0\0\u{18}ftypavif\0\0\0\0mif1avif", .unsupportedFormat("AVIF")),
            ("\0\0\0\u{18}ftypmif1\0\0\0\0mif1heic", .unsupportedFormat("HEIC")),
            ("\0\0\0\u{18}ftypisom\0\0\0\0isommp42", .notAnImage(.video)),
            ("\u{1}\u{2}\u{3}", .notAnImage(.unknown)),
        ])
    func contents(_ text: String, failure: Failure) throws {
        let path = try scratch.write(Data(text.utf8), to: "photo.jpg")
        let error = #expect(throws: ImagingError.self) {
            try DerivativeMaker(options: options).metadata(ofOriginalAt: path)
        }
        #expect(error == .picture(failure))
    }

    @Test(
        "A page in UTF-16 with a byte order mark is recognised as a page",
        arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func wideContents(encoding: String.Encoding) throws {
        for (text, failure) in [
            ("\u{FEFF}<!DOCTYPE html><title>Größe 🌄", Failure.notAnImage(.webPage)),
            ("\u{FEFF}{\"error\":404}", .notAnImage(.json)), ("\u{FEFF}no", .notAnImage(.text)),
            ("\u{FEFF}\u{1}\u{2}", .notAnImage(.unknown)),
        ] {
            let bytes = try #require(text.data(using: encoding))
            // The second form is cut within its last character.
            for data in [bytes, bytes.dropLast()] {
                let path = try scratch.write(Data(data), to: "photo.jpg")
                let error = #expect(throws: ImagingError.self) {
                    try DerivativeMaker(options: options).metadata(ofOriginalAt: path)
                }
                #expect(error == .picture(failure))
            }
        }
    }

    private func make(_ path: String) throws {
        let maker = DerivativeMaker(options: options)
        let metadata = try maker.metadata(ofOriginalAt: path)
        let specs = DerivativeSpec.all(original: Digest(of: path), picture: metadata, options: options)
        _ = try maker.make(specs, original: path, into: scratch.path) { false }
    }
}
