internal import CLittleCMS

/// Turns rows into sRGB by a profile, with Little CMS: perceptual intent, black point compensation. Owns the handle.
final class ProfileTransform: RowConversion {
    private let handle: cmsHTRANSFORM
    /// The transform refers to its context until it is deleted.
    private let context: ColourContext

    /// - Parameter source: the format of the rows, as Little CMS writes it; where it has alpha the result has, too.
    /// - Returns: nil where Little CMS can't make use of the profile.
    init?(_ profile: ColourProfile, source: cmsUInt32Number, isWide: Bool, hasAlpha: Bool) {
        context = profile.context
        let sRGB = ColourProfile(sRGBIn: context)
        var flags = lcms_black_point_compensation
        if hasAlpha { flags |= lcms_copy_alpha }
        // The tables that Little CMS makes for 16 bits, to be fast, are up to 20 levels wrong with ProPhoto RGB.
        if isWide { flags |= lcms_no_optimization }
        guard
            let handle = cmsCreateTransformTHR(
                context.handle, profile.handle, source, sRGB.handle, hasAlpha ? lcms_rgba_8 : lcms_rgb_8,
                lcms_perceptual, flags)
        else { return nil }
        self.handle = handle
    }

    /// Whether colours of 8-bit RGB all over the cube stay what they are, but for one level.
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
