internal import CLittleCMS

/// An ICC profile that Little CMS has opened. Owns the handle.
final class ColourProfile {
    let handle: cmsHPROFILE
    let context: ColourContext

    /// - Returns: nil if the bytes are not an ICC profile.
    init?(_ bytes: [UInt8], context: ColourContext) {
        // Little CMS copies the bytes.
        guard let handle = cmsOpenProfileFromMemTHR(context.handle, bytes, cmsUInt32Number(bytes.count)) else {
            return nil
        }
        self.handle = handle
        self.context = context
        removeFloatingPointTables()
    }

    /// Removes the tables of floating-point numbers (DToB, ICC.1:2022 §9.2.29), which browsers don't use either. In a
    /// few bytes, such a table can say any number of steps, each of which Little CMS keeps in memory and applies to
    /// every colour. The other tables are limited by the size of the profile.
    private func removeFloatingPointTables() {
        for tag in [cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag, cmsSigDToB3Tag] {
            // A profile can have a tag twice. Without data, a tag is removed.
            while cmsIsTag(handle, tag) != 0, cmsWriteTag(handle, tag, nil) != 0 {}
        }
    }

    /// - Returns: nil if the values describe no colour space.
    init?(_ primaries: ColourDescription.Primaries, context: ColourContext) {
        guard let curve = Self.toneCurve(primaries.curve, context) else { return nil }
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

    /// Whether the profile describes the samples of pictures of this kind.
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
        case .cmyk: space == cmsSigCmykData
        }
    }

    private static func toneCurve(
        _ curve: ColourDescription.Primaries.Curve, _ context: ColourContext
    ) -> OpaquePointer? {
        switch curve {
        case .power(let exponent): return cmsBuildGamma(context.handle, exponent)
        case .powerAboveLine(let exponent, let offset, let slope):
            // At this point, the two pieces have the same value and nearly the same slope.
            let meeting = offset / (exponent - 1)
            let parameters = [exponent, 1 / (1 + offset), offset / (1 + offset), 1 / slope, meeting]
            // Type 4 is the curve of IEC 61966-2-1 (Little CMS API, cmsBuildParametricToneCurve).
            return cmsBuildParametricToneCurve(context.handle, 4, parameters)
        }
    }

    private static func coordinates(_ chromaticity: ColourDescription.Primaries.Chromaticity) -> cmsCIExyY {
        cmsCIExyY(x: chromaticity.x, y: chromaticity.y, Y: 1)
    }
}
