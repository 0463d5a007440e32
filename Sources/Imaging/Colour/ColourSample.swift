internal import Foundation

/// Averages all pixels of a picture in linear light. The result is the colour that the picture blurs into: nothing
/// becomes brighter or darker when the picture replaces an area of that colour. Each pixel is weighted by its alpha.
final class ColourSample: RowConsumer {
    private let shape: RowShape
    /// The sums of red, green and blue, each multiplied by alpha. They can't overflow, because a picture has far fewer
    /// pixels than 2^64 / (2^16 · 2^8).
    private var sums: (red: UInt64, green: UInt64, blue: UInt64) = (0, 0, 0)
    /// The sum of all alpha values.
    private var weight: UInt64 = 0

    init(_ shape: RowShape) {
        self.shape = shape
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        Self.light.withUnsafeBufferPointer { light in
            for pixel in 0..<shape.width {
                let levels = row + pixel * shape.channels
                let alpha = shape.channels == 4 ? UInt64(levels[3]) : 255
                sums.red += UInt64(light[Int(levels[0])]) * alpha
                sums.green += UInt64(light[Int(levels[1])]) * alpha
                sums.blue += UInt64(light[Int(levels[2])]) * alpha
                weight += alpha
            }
        }
    }

    /// The colour in CSS syntax: "#rrggbb", or "transparent" if nothing is visible.
    var colour: String {
        guard weight > 0 else { return "transparent" }
        return [sums.red, sums.green, sums.blue].reduce(into: "#") { text, sum in
            let level = String(Self.level(of: UInt32((sum + weight / 2) / weight)), radix: 16)
            text += level.count == 1 ? "0" + level : level
        }
    }

    /// The linear light of each level of sRGB (IEC 61966-2-1), 0 to 65535. The values are integers, so that sums are
    /// the same on all machines.
    private static let light: [UInt32] = (0...255).map { level in
        let encoded = Double(level) / 255
        let linear = encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
        return UInt32((linear * 65535).rounded())
    }

    /// The level whose linear light is nearest to `light`.
    private static func level(of light: UInt32) -> Int {
        let above = Self.light.firstIndex { $0 >= light } ?? 255
        guard above > 0 else { return 0 }
        return Self.light[above] - light < light - Self.light[above - 1] ? above : above - 1
    }
}
