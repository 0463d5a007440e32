import Foundation
import Imaging
import Testing

@Suite("Pixels are decoded as other decoders decode them")
struct DecodedPixelTests {
    /// The expected means of red, green, blue (multiplied by opacity, where there is any) and opacity in the four
    /// quarters of each picture, in the orientation of the file. A picture that is one pixel high or wide has the mean
    /// of the whole four times. The values come from Pillow 13.0, with its ImageCms (perceptual intent, black point
    /// compensation) for pictures with a profile, and from exact arithmetic on the samples for a gAMA other than
    /// sRGB's.
    private static let means: [String: [[Double]]] = {
        do {
            let file = URL(fileURLWithPath: "\(PictureFixture.fixtures)/quarter-means.json")
            return try JSONDecoder().decode([String: [[Double]]].self, from: Data(contentsOf: file))
        } catch {
            fatalError("the means are unreadable: \(error)")
        }
    }()

    @Test("Each quarter of a picture has the colour that Pillow finds there", arguments: means.keys.sorted())
    func quarters(_ name: String) throws {
        let picture = try DecodedPicture(path: PictureFixture.named(name).path)
        let expected = try #require(Self.means[name])
        for (found, expected) in zip(quarterMeans(of: picture), expected) {
            #expect(found.count == expected.count)
            for (one, other) in zip(found, expected) {
                #expect(abs(one - other) < 1.2, "\(found), expected \(expected)")
            }
        }
    }

    private func quarterMeans(of picture: DecodedPicture) -> [[Double]] {
        let (width, height) = (picture.shape.width, picture.shape.height)
        let isLine = width == 1 || height == 1
        return [(0, 0), (0, 1), (1, 0), (1, 1)].map { quarter in
            let rows = isLine ? 0..<height : quarter.0 * height / 2..<(quarter.0 + 1) * height / 2
            let columns = isLine ? 0..<width : quarter.1 * width / 2..<(quarter.1 + 1) * width / 2
            var sums = [Double](repeating: 0, count: picture.shape.channels)
            for y in rows {
                for x in columns {
                    let pixel = picture.bytes[(y * width + x) * sums.count..<(y * width + x + 1) * sums.count]
                    let opacity = sums.count == 4 ? Double(pixel[pixel.startIndex + 3]) / 255 : 1
                    for (channel, level) in pixel.enumerated() {
                        sums[channel] += channel < 3 ? Double(level) * opacity : Double(level)
                    }
                }
            }
            return sums.map { $0 / Double(rows.count * columns.count) }
        }
    }
}
