import Imaging
import PhotoModel
import Testing

@Suite("The derivatives of a photo follow from its dimensions and the options")
struct DerivativeSpecTests {
    private static let landscape = ImageMetadata(format: .jpeg, width: 1000, height: 667, hasTransparency: false)

    @Test(
        "No width exceeds the photo's own width, which replaces the larger ones once",
        arguments: [
            (1000, [320, 800, 1600], [320, 800, 1000]), (5000, [320, 800, 1600], [320, 800, 1600]),
            (320, [320, 800, 1600], [320]), (100, [320, 800, 1600], [100]), (1, [320], [1]),
            (1000, [1600, 320, 320, 2000], [320, 1000]), (900, [900, 1600], [900]),
        ])
    func widths(own: Int, asked: [Int], expected: [Int]) throws {
        let picture = ImageMetadata(format: .jpeg, width: own, height: 10, hasTransparency: false)
        #expect(try specs(picture, widths: asked, unfiltered: false).map(\.width) == expected)
    }

    @Test(
        "The height is in proportion, rounded, and at least 1",
        arguments: [
            (1000, 667, 320, 213), (1000, 500, 333, 167), (3000, 1, 320, 1), (3, 2, 1, 1), (1000, 1500, 333, 500),
            (2, 3, 1, 2),
        ])
    func heights(width: Int, height: Int, asked: Int, expected: Int) throws {
        let picture = ImageMetadata(format: .png, width: width, height: height, hasTransparency: false)
        #expect(try specs(picture, widths: [asked], unfiltered: false).map(\.height) == [expected])
    }

    @Test("The unfiltered picture is made once, at the largest width, and only beside a filtered one")
    func unfiltered() throws {
        let both = try specs(Self.landscape)
        #expect(both.map(\.width) == [320, 800, 1000, 1000])
        #expect(both.map(\.kind) == [.filtered, .filtered, .filtered, .unfiltered])
        #expect(Set(both.map(\.fileName)).count == 4)
        #expect(try specs(Self.landscape, unfiltered: false).allSatisfy { $0.kind == .filtered })
        #expect(try specs(Self.landscape, filter: "none").map(\.kind) == [.filtered, .filtered, .filtered])
    }

    @Test("Names are 16 digits of the recipe, the width and the format")
    func names() throws {
        for spec in try specs(Self.landscape) {
            #expect(spec.fileName.wholeMatch(of: /[0-9a-f]{16}-(\d+)\.jpg/)?.1 == "\(spec.width)")
        }
        let transparent = ImageMetadata(format: .png, width: 1000, height: 667, hasTransparency: true)
        #expect(try specs(transparent).allSatisfy { $0.fileName.hasSuffix(".png") && $0.format == .png })
    }

    @Test("Every option that changes the bytes of a file changes its name")
    func recipe() throws {
        let names = Set(try specs(Self.landscape).map(\.fileName))
        let other = ImageMetadata(format: .jpeg, width: 1000, height: 668, hasTransparency: false)
        #expect(names.isDisjoint(with: try specs(Self.landscape, original: "another").map(\.fileName)))
        #expect(names.isDisjoint(with: try specs(Self.landscape, quality: 83).map(\.fileName)))
        #expect(names.isDisjoint(with: try specs(other, original: "another").map(\.fileName)))
        #expect(names == Set(try specs(Self.landscape).map(\.fileName)))
    }

    @Test("Another filter makes other filtered files, and the same unfiltered one")
    func filterChange() throws {
        let before = try specs(Self.landscape, filter: "sepia(0.8)")
        let after = try specs(Self.landscape, filter: "sepia(0.6)")
        #expect(before.map(\.fileName).dropLast().allSatisfy { !after.map(\.fileName).contains($0) })
        #expect(before.last == after.last)
    }

    @Test("The same amount written differently is the same recipe")
    func canonicalFilter() throws {
        #expect(try specs(Self.landscape, filter: "sepia(0.8)") == specs(Self.landscape, filter: " SEPIA(80%)"))
    }

    @Test("Another quality leaves PNG files as they are")
    func qualityOfPNG() throws {
        let transparent = ImageMetadata(format: .png, width: 1000, height: 667, hasTransparency: true)
        #expect(try specs(transparent) == specs(transparent, quality: 50))
    }

    @Test(
        "Each JPEG or PNG, itself unchanged, is followed by a WebP of the same picture", arguments: [false, true])
    func webp(hasTransparency: Bool) throws {
        let picture = ImageMetadata(format: .jpeg, width: 1000, height: 667, hasTransparency: hasTransparency)
        let alone = try specs(picture)
        let both = try specs(picture, formats: .jpegAndWebP)
        #expect(Array(both.prefix(4)) == alone)
        let webp = both.dropFirst(4)
        #expect(webp.allSatisfy { $0.format == .webp && $0.fileName.hasSuffix("-\($0.width).webp") })
        #expect(webp.map(\.kind) == alone.map(\.kind) && webp.map(\.width) == alone.map(\.width))
        #expect(Set(both.map(\.fileName)).count == 8)
        let better = try specs(picture, quality: 90, formats: .jpegAndWebP).dropFirst(4)
        #expect(Set(better.map(\.fileName)).isDisjoint(with: webp.map(\.fileName)))
    }

    @Test(
        "A picture with a size too large for WebP has no WebP in any size",
        arguments: [
            (16_383, 20, [16_383], true, false), (16_384, 20, [320, 16_384], false, false),
            (16_384, 20, [320, 800], true, false), (20, 16_383, [20], true, false),
            (20, 16_384, [10, 20], false, false),
            (16_000, 8_000, [16_000], true, false), (16_000, 8_001, [16_000], false, false),
            (4000, 4000, [4000], true, true), (4000, 4001, [4000], false, true), (4000, 4001, [320], true, true),
        ])
    func tooLargeForWebP(width: Int, height: Int, widths: [Int], isWritten: Bool, hasTransparency: Bool) throws {
        let picture = ImageMetadata(format: .png, width: width, height: height, hasTransparency: hasTransparency)
        let specs = try specs(picture, widths: widths, formats: .jpegAndWebP)
        #expect(specs.contains { $0.format == .webp } == isWritten)
    }

    private func specs(
        _ picture: ImageMetadata, widths: [Int] = [320, 800, 1600], original: String = "original", quality: Int = 82,
        formats: PublishedFormats = .jpeg, filter: String = "sepia(0.8)", unfiltered: Bool = true
    ) throws -> [DerivativeSpec] {
        DerivativeSpec.all(
            original: Digest(of: original), picture: picture,
            options: DerivativeOptions(
                widths: widths, quality: quality, formats: formats, filter: try FilterChain(parsing: filter),
                publishesUnfiltered: unfiltered, maxPixels: 1_000_000))
    }
}
