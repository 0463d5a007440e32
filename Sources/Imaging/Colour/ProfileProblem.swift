/// Why a picture's colours were treated as sRGB although the file says otherwise. This is not a failure: the picture is
/// published, and looks as it does in a program without colour management.
package enum ProfileProblem: Hashable, Sendable, CustomStringConvertible {
    /// The profile is not an ICC profile, is incomplete, or can't be used for a conversion.
    case unreadable
    /// The profile is for another kind of picture (grey, colour or CMYK), or not for pictures at all.
    case unfit
    /// A cICP chunk has code points (ITU-T H.273) of a colour space that is not converted.
    case otherCodePoints(primaries: UInt8, transfer: UInt8)

    /// The message for people, which is printed after the name of the photo and a colon.
    package var description: String {
        switch self {
        case .unreadable: "its colour profile is broken; its colours are treated as sRGB"
        case .unfit: "its colour profile is for another kind of picture; its colours are treated as sRGB"
        case .otherCodePoints(let primaries, let transfer):
            "its colours are \(Self.primaries[primaries] ?? "of an unknown kind")"
                + " with \(Self.transfers[transfer] ?? "an unknown curve") (cICP \(primaries), \(transfer)),"
                + " which are not converted"
        }
    }

    private static let primaries: [UInt8: String] = [
        1: "BT.709", 5: "BT.601 (625 lines)", 6: "BT.601 (525 lines)", 9: "BT.2020", 11: "DCI-P3", 12: "Display P3",
    ]
    private static let transfers: [UInt8: String] = [
        1: "the curve of BT.709", 4: "gamma 2.2", 5: "gamma 2.8", 8: "linear light", 13: "the curve of sRGB",
        14: "the curve of BT.2020", 16: "PQ (high dynamic range)", 18: "HLG (high dynamic range)",
    ]
}
