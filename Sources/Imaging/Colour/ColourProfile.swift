internal import CLittleCMS

/// An ICC profile that Little CMS has opened. Owns the handle.
final class ColourProfile {
    let handle: cmsHPROFILE
    let context: ColourContext

    /// - Returns: nil where the bytes are no profile.
    init?(_ bytes: [UInt8], context: ColourContext) {
        // Little CMS copies the bytes.
        guard let handle = cmsOpenProfileFromMemTHR(context.handle, bytes, cmsUInt32Number(bytes.count)) else {
            return nil
        }
        self.handle = handle
        self.context = context
    }

    /// - Returns: nil where the numbers describe no colour space.
    init?(_ primaries: ColourDescription.Primaries, context: ColourContext) {
        guard let curve = cmsBuildGamma(context.handle, 1 / primaries.gamma) else { return nil }
        defer { cmsFreeToneCurve(curve) }
        var white = Self.coordinates(primaries.white)
        var triple = cmsCIExyYTRIPLE(
            Red: Self.coordinates(primaries.red), Green: Self.coordinates(primaries.green),
            Blue: Self.coordinates(primaries.blue))
        let curves: [OpaquePointer?] = [curve, curve, curve]
        guard let handle = cmsCreateRGBProfileTHR(context.handle, &white, &triple, curves) else { return nil }
        self.handle = handle
        self.context = context
    }

    init(sRGBIn context: ColourContext) {
        guard let handle = cmsCreate_sRGBProfileTHR(context.handle) else {
            preconditionFailure("no memory for Little CMS")
        }
        self.handle = handle
        self.context = context
    }

    deinit { cmsCloseProfile(handle) }

    /// Whether the profile says what the samples of a picture of this kind stand for.
    func fits(_ model: SampleLayout.Model) -> Bool {
        let device = cmsGetDeviceClass(handle)
        guard
            device == cmsSigInputClass || device == cmsSigDisplayClass || device == cmsSigOutputClass
                || device == cmsSigColorSpaceClass
        else { return false }
        let space = cmsGetColorSpace(handle)
        return switch model {
        case .grey: space == cmsSigGrayData
        case .colour: space == cmsSigRgbData
        case .inks: space == cmsSigCmykData
        }
    }

    private static func coordinates(_ chromaticity: ColourDescription.Primaries.Chromaticity) -> cmsCIExyY {
        cmsCIExyY(x: chromaticity.x, y: chromaticity.y, Y: 1)
    }
}
