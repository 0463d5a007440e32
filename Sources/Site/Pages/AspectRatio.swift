internal import Foundation

/// The aspect ratio of a picture's card. Pictures narrower than 1:2 or wider than 3.5:1 are cropped to these ratios.
struct AspectRatio {
    private static let limits = 0.5...3.5
    private static let step = 1.03

    private let ratio: Double

    init(width: Int, height: Int) {
        let ratio = Double(max(width, 1)) / Double(max(height, 1))
        self.ratio = min(max(ratio, Self.limits.lowerBound), Self.limits.upperBound)
    }

    /// The class of the style sheet, because the pages' content security policy forbids style attributes. The classes
    /// r0 to r66 of gallery.css stand for the ratios 0.5 × 1.03ⁿ, so that at most 1.5 % of a picture is cropped.
    var className: String { "r\(Int((log(ratio / Self.limits.lowerBound) / log(Self.step)).rounded()))" }

    /// The ratio with two digits after the point, "1.50".
    var text: String {
        let hundredths = Int((ratio * 100).rounded())
        return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
    }
}
