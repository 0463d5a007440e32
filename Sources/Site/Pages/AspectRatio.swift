internal import Foundation

/// The aspect ratio of a picture's card, as a class of the style sheet, because the pages' content security policy
/// forbids style attributes.
///
/// The classes r0 to r66 of gallery.css stand for the ratios 0.5 × 1.03ⁿ, so that at most 1.5 % of a picture is
/// cropped. Pictures narrower than 1:2 or wider than 3.5:1 are cropped to these ratios.
struct AspectRatio {
    private static let smallestRatio = 0.5
    private static let step = 1.03
    private static let lastClass = 66

    let className: String

    init(width: Int, height: Int) {
        let ratio = Double(max(width, 1)) / Double(max(height, 1))
        let number = (log(ratio / Self.smallestRatio) / log(Self.step)).rounded()
        className = "r\(Int(min(max(number, 0), Double(Self.lastClass))))"
    }
}
