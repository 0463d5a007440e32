internal import CLittleCMS

/// The conversion of decoded rows to sRGB.
struct ColourConversion {
    /// The conversion; nil if 8-bit rows are sRGB already, by name or in effect.
    let conversion: (any RowConversion)?
    /// The layout that rows must have for the conversion, or, without one, for the next stage.
    let layout: SampleLayout
    /// Why the file's statement about its colours was ignored. The colours are then treated as sRGB, as browsers do.
    let problem: ProfileProblem?

    /// Whether rows of a declared colour space need a conversion to sRGB, are sRGB already, or can't be converted.
    private enum Decision {
        case needs(any RowConversion)
        case isSRGB
        case unusable(ProfileProblem)
    }

    /// - Parameter isWide: whether the file has 16 bits a sample. A conversion then takes all of them.
    init(_ description: ColourDescription, model: SampleLayout.Model, hasAlpha: Bool, isWide: Bool) {
        let wanted = SampleLayout(model: model, hasAlpha: hasAlpha, isWide: isWide)
        let plain = SampleLayout(model: model, hasAlpha: hasAlpha, isWide: false)
        switch Self.decision(description, wanted) {
        case .needs(let needed): (conversion, layout, problem) = (needed, wanted, nil)
        case .isSRGB: (conversion, layout, problem) = (model == .cmyk ? CMYKConversion() : nil, plain, nil)
        case .unusable(let found):
            (conversion, layout, problem) = (model == .cmyk ? CMYKConversion() : nil, plain, found)
        }
    }

    private static func decision(_ description: ColourDescription, _ layout: SampleLayout) -> Decision {
        switch description {
        case .sRGB: return .isSRGB
        case .brokenProfile: return .unusable(.unreadable)
        case .primaries(let primaries):
            // Values that make no colour space are a mistake: most files state gamma and chromaticities for no reason.
            guard !primaries.areNearSRGB, let profile = ColourProfile(primaries, context: ColourContext()) else {
                return .isSRGB
            }
            // Grey rows are decoded to RGB, for which this profile is made.
            if case .needs(let conversion) = ofColours(profile, layout) { return .needs(conversion) }
            return .isSRGB
        case .profile(let bytes):
            if layout.model == .colour, ProfileCache.ofSRGB.contains(bytes) { return .isSRGB }
            guard let profile = ColourProfile(bytes, context: ColourContext()) else { return .unusable(.unreadable) }
            guard profile.fits(layout.model) else { return .unusable(.unfit) }
            return switch layout.model {
            case .grey: ofGrey(profile, layout)
            case .colour:
                switch ofColours(profile, layout) {
                case .isSRGB: isSRGB(bytes)
                case let decision: decision
                }
            case .cmyk: needs(ProfileTransform(profile, source: lcms_inverted_cmyk_8, isWide: false, hasAlpha: false))
            }
        }
    }

    private static func isSRGB(_ profile: [UInt8]) -> Decision {
        ProfileCache.ofSRGB.add(profile)
        return .isSRGB
    }

    private static func needs(_ conversion: (any RowConversion)?) -> Decision {
        conversion.map { .needs($0) } ?? .unusable(.unreadable)
    }

    private static func ofGrey(_ profile: ColourProfile, _ layout: SampleLayout) -> Decision {
        let narrow = SampleLayout(model: .grey, hasAlpha: layout.hasAlpha, isWide: false)
        guard let transform = ProfileTransform(profile, source: lcms_grey_8, isWide: false, hasAlpha: false) else {
            return .unusable(.unreadable)
        }
        let table = GrayLUT(transform, layout: narrow)
        if table.changesNothing { return .isSRGB }
        guard layout.isWide else { return .needs(table) }
        return needs(
            ProfileTransform(profile, source: lcms_grey_16, isWide: true, hasAlpha: false)
                .map { GrayLUT($0, layout: layout) })
    }

    private static func ofColours(_ profile: ColourProfile, _ layout: SampleLayout) -> Decision {
        guard let narrow = ProfileTransform(profile, source: lcms_rgb_8, isWide: false, hasAlpha: false) else {
            return .unusable(.unreadable)
        }
        // Most profiles are sRGB under some name, and their pixels then need no work. 8 bits are enough to recognise
        // them.
        if narrow.changesNothing { return .isSRGB }
        let source =
            layout.isWide
            ? (layout.hasAlpha ? lcms_rgba_16 : lcms_rgb_16) : (layout.hasAlpha ? lcms_rgba_8 : lcms_rgb_8)
        return layout.isWide || layout.hasAlpha
            ? needs(ProfileTransform(profile, source: source, isWide: layout.isWide, hasAlpha: layout.hasAlpha))
            : .needs(narrow)
    }
}
