import Foundation
import Imaging
import PhotoModel
import TestSupport
import Testing

@Suite("Every picture has the expected outcome, or is refused for the right reason")
struct PictureOutcomeTests {
    private static let options = DerivativeOptions(
        widths: [48, 320], quality: 82, filter: .none, publishesUnfiltered: true, maxPixels: 200_000_000)

    @Test("A committed picture has its expected outcome", arguments: PictureFixture.committed)
    func committed(_ fixture: PictureFixture) throws {
        try check(fixture)
    }

    @Test(
        "A picture that is not committed has its expected outcome",
        .enabled(if: PictureFixture.usedInPlace != nil, "the folder of shared pictures is missing"),
        arguments: PictureFixture.usedInPlace ?? [])
    func usedInPlace(_ fixture: PictureFixture) throws {
        try check(fixture)
    }

    @Test("The list has every committed picture")
    func count() {
        #expect(PictureFixture.committed.count == 239)
        #expect(PictureFixture.usedInPlace.map { $0.count == 47 } ?? true)
    }

    private func check(_ fixture: PictureFixture) throws {
        let scratch = TemporaryFolder()
        let maker = DerivativeMaker(options: Self.options)
        let expected = fixture.expectation
        do {
            let header = try maker.header(ofOriginalAt: fixture.path)
            let specs = DerivativeSpec.all(
                original: Digest(of: fixture.name), picture: header.metadata, options: Self.options)
            let made = try maker.make(specs, original: fixture.path, into: scratch.path) { false }

            #expect(
                expected.outcome == "ok" || !expected.firm, "it was taken, but \(expected.rightReasons) is right")
            #expect(header.format.rawValue == expected.format)
            #expect(expected.alpha.map { $0 == header.hasTransparency } ?? true)
            if expected.outcome == "ok" {
                #expect(header.orientation.rawValue == expected.orientation)
                #expect(header.width == expected.uprightWidth)
                #expect(header.height == expected.uprightHeight)
            }
            #expect(try scratch.contents() == specs.map(\.fileName).sorted())
            for spec in specs { try check(spec, in: scratch, bytes: made.bytes[spec], of: fixture) }
        } catch ImagingError.picture(let failure) {
            let reason = Reason(failure)
            #expect(
                expected.outcome == "error" || !expected.firm && expected.reasons != nil,
                "the picture was refused: \(reason)")
            #expect(expected.rightReasons.contains(reason.code.rawValue), "the picture was refused: \(reason)")
            #expect(try scratch.contents() == [])
        }
    }

    private func check(
        _ spec: DerivativeSpec, in scratch: TemporaryFolder, bytes: Int64?, of fixture: PictureFixture
    ) throws {
        let data = try scratch.bytes(of: spec.fileName)
        #expect(bytes == Int64(data.count))
        let derivative = try DecodedPicture(path: "\(scratch.path)/\(spec.fileName)")
        #expect(derivative.header.format == (fixture.expectation.alpha == true ? .png : .jpeg))
        #expect(derivative.header.orientation == .upright)
        #expect((derivative.shape.width, derivative.shape.height) == (spec.width, spec.height))
        #expect(spec.width <= fixture.expectation.uprightWidth ?? .max)
        for text in (fixture.expectation.never ?? []) + ["Exif", "ICC_PROFILE"] {
            #expect(data.range(of: Data(text.utf8)) == nil, "\(text) is in the derivative")
        }
    }
}
