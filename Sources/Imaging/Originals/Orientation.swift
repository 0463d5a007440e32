/// The transformation that turns a stored picture upright (EXIF 2.32 §4.6.4, tag 0x0112).
package enum Orientation: Int, Codable, CaseIterable, Sendable {
    case upright = 1
    case mirrored
    case upsideDown
    case mirroredUpsideDown
    case transposed
    /// The stored picture must be turned by 90° clockwise.
    case quarterClockwise
    case transposedUpsideDown
    /// The stored picture must be turned by 90° counter-clockwise.
    case quarterCounterClockwise

    /// Whether the rows of the upright picture are columns of the stored one.
    package var transposes: Bool { rawValue >= 5 }

    /// Whether the stored columns are taken from last to first, as rows or columns of the upright picture.
    var reversesColumns: Bool {
        [.mirrored, .upsideDown, .transposedUpsideDown, .quarterCounterClockwise].contains(self)
    }

    /// Whether the stored rows are taken from last to first.
    var reversesRows: Bool {
        [.upsideDown, .mirroredUpsideDown, .quarterClockwise, .transposedUpsideDown].contains(self)
    }
}
