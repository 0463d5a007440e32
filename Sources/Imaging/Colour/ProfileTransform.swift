internal import CLittleCMS

/// Converts rows to sRGB by a profile, using Little CMS with perceptual intent and black point compensation. Owns the
/// handle.
final class ProfileTransform: RowConversion {
    private let handle: cmsHTRANSFORM
    /// The context, which the transform uses until it is deleted.
    private let context: ColourContext

    /// - Parameter source: the format of the rows, as Little CMS encodes it. If it has alpha, the result has alpha too.
    /// - Returns: nil if Little CMS can't use the profile.
    init?(_ profile: ColourProfile, source: cmsUInt32Number, isWide: Bool, hasAlpha: Bool) {
        context = profile.context
        let sRGB = ColourProfile(sRGBIn: context)
        var flags = lcms_black_point_compensation
        if hasAlpha { flags |= lcms_copy_alpha }
        // The lookup tables by which Little CMS speeds up 16 bits are wrong by up to 20 levels with ProPhoto RGB.
        if isWide { flags |= lcms_no_optimization }
        guard
            let handle = cmsCreateTransformTHR(
                context.handle, profile.handle, source, sRGB.handle, hasAlpha ? lcms_rgba_8 : lcms_rgb_8,
                lcms_perceptual, flags)
        else { return nil }
        self.handle = handle
    }

    /// Whether no colour of a grid over the 8-bit RGB cube changes by more than one level.
    var changesNothing: Bool {
        let levels = stride(from: UInt8(0), through: 255, by: 15)
        let colours = levels.flatMap { red in levels.flatMap { green in levels.flatMap { [red, green, $0] } } }
        var converted = [UInt8](repeating: 0, count: colours.count)
        convert(colours, into: &converted, pixels: colours.count / 3)
        return zip(colours, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }

    deinit { cmsDeleteTransform(handle) }

    func convert(_ row: UnsafePointer<UInt8>, into result: UnsafeMutablePointer<UInt8>, pixels: Int) {
        cmsDoTransform(handle, row, result, cmsUInt32Number(pixels))
    }
}
