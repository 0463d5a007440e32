internal import CLittleCMS

/// Decides what decoded rows need to become sRGB.
enum ColourConversion {
    /// - Parameter isWide: whether the file has 16 bits a sample; a conversion then wants them all.
    /// - Returns: the conversion, and the layout that rows must have for it; no conversion where rows of 8 bits are sRGB,
    ///   in name or in effect. What is broken or does not fit the picture is taken for sRGB, as browsers do.
    static func make(
        _ description: ColourDescription, model: SampleLayout.Model, hasAlpha: Bool, isWide: Bool
    ) -> (conversion: (any RowConversion)?, layout: SampleLayout) {
        let layout = SampleLayout(model: model, hasAlpha: hasAlpha, isWide: isWide)
        if let conversion = conversion(description, layout) { return (conversion, layout) }
        let plain = SampleLayout(model: model, hasAlpha: hasAlpha, isWide: false)
        return (model == .inks ? InkConversion() : nil, plain)
    }

    private static func conversion(
        _ description: ColourDescription, _ layout: SampleLayout
    ) -> (any RowConversion)? {
        switch description {
        case .sRGB:
            return nil
        case .primaries(let primaries):
            guard !primaries.areThoseOfSRGB, let profile = ColourProfile(primaries, context: ColourContext()) else {
                return nil
            }
            // Grey rows come as RGB, for which this profile is made.
            return ofColours(profile, layout)
        case .profile(let bytes):
            guard let profile = ColourProfile(bytes, context: ColourContext()), profile.fits(layout.model) else {
                return nil
            }
            return switch layout.model {
            case .grey: ofGrey(profile, layout)
            case .colour: ofColours(profile, layout)
            case .inks: ProfileTransform(profile, source: lcms_inverted_cmyk_8, isWide: false, hasAlpha: false)
            }
        }
    }

    private static func ofGrey(_ profile: ColourProfile, _ layout: SampleLayout) -> GreyTable? {
        let narrow = SampleLayout(model: .grey, hasAlpha: layout.hasAlpha, isWide: false)
        guard
            let transform = ProfileTransform(profile, source: lcms_grey_8, isWide: false, hasAlpha: false),
            case let table = GreyTable(transform, layout: narrow), !table.changesNothing
        else { return nil }
        guard layout.isWide else { return table }
        return ProfileTransform(profile, source: lcms_grey_16, isWide: true, hasAlpha: false)
            .map { GreyTable($0, layout: layout) }
    }

    private static func ofColours(_ profile: ColourProfile, _ layout: SampleLayout) -> ProfileTransform? {
        // Most profiles are sRGB under some name, and then all the work on pixels is saved. 8 bits are enough to see it.
        guard
            let narrow = ProfileTransform(profile, source: lcms_rgb_8, isWide: false, hasAlpha: false),
            !narrow.changesNothing
        else { return nil }
        let source =
            layout.isWide
            ? (layout.hasAlpha ? lcms_rgba_16 : lcms_rgb_16) : (layout.hasAlpha ? lcms_rgba_8 : lcms_rgb_8)
        return layout.isWide || layout.hasAlpha
            ? ProfileTransform(profile, source: source, isWide: layout.isWide, hasAlpha: layout.hasAlpha) : narrow
    }
}
