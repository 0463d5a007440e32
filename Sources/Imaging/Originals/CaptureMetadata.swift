internal import CLibExif
internal import Foundation

/// The camera's notes on a picture, in words for people. The location, the photographer and serial numbers of the
/// camera are never included.
package struct CaptureMetadata: Hashable, Sendable {
    package var taken: String?
    package var camera: String?
    package var lens: String?
    package var exposure: String?

    package init() {}

    init(_ exif: ExifBlock?) {
        guard let exif else { return }
        taken =
            [EXIF_TAG_DATE_TIME_ORIGINAL, EXIF_TAG_DATE_TIME_DIGITIZED].lazy
            .compactMap { exif.text($0, in: .exif).flatMap(Self.time) }.first
        camera = Self.name(
            maker: exif.text(EXIF_TAG_MAKE, in: .ifd0), model: exif.text(EXIF_TAG_MODEL, in: .ifd0))
        lens =
            Self.name(
                maker: exif.text(EXIF_TAG_LENS_MAKE, in: .exif), model: exif.text(EXIF_TAG_LENS_MODEL, in: .exif))
            ?? Self.lens(exif.fractions(EXIF_TAG_LENS_SPECIFICATION, in: .exif))
        let parts = [
            exif.fractions(EXIF_TAG_EXPOSURE_TIME, in: .exif).first.flatMap { $0 }.flatMap(Self.duration),
            exif.fractions(EXIF_TAG_FNUMBER, in: .exif).first.flatMap { $0 }.flatMap(Self.aperture),
            exif.number(EXIF_TAG_ISO_SPEED_RATINGS, in: .exif).flatMap(Self.sensitivity),
            exif.fractions(EXIF_TAG_FOCAL_LENGTH, in: .exif).first.flatMap { $0 }.flatMap(Self.length),
        ].compactMap { $0 }
        exposure = parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The time "2019:07:04 12:34:56" (EXIF 2.32 §4.6.5) in the format of ISO 8601; nil if it does not exist, as with a
    /// clock that was never set.
    private static func time(_ text: String) -> String? {
        let numbers = text.split(omittingEmptySubsequences: false) { ":- T".contains($0) }
        guard numbers.map(\.utf8.count) == [4, 2, 2, 2, 2, 2],
            numbers.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            case let values = numbers.compactMap({ Int($0) }), values.count == 6,
            values[0] >= 1826, (1...12).contains(values[1]),
            (1...daysIn(month: values[1], of: values[0])).contains(values[2]),
            values[3] < 24, values[4] < 60, values[5] < 61
        else { return nil }
        return numbers[0...2].joined(separator: "-") + "T" + numbers[3...5].joined(separator: ":")
    }

    private static func daysIn(month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The name of a camera or lens. The maker is omitted if the model starts with the maker's name or its first word,
    /// as most models do.
    private static func name(maker: String?, model: String?) -> String? {
        guard let maker, let model else { return model }
        func firstWord(_ text: String) -> String { text.prefix { $0 != " " }.lowercased() }
        return firstWord(maker) == firstWord(model) || model.lowercased().hasPrefix(maker.lowercased())
            ? model : "\(maker) \(model)"
    }

    /// The name of a lens by its shortest and longest focal length and the largest aperture at each: "24-70 mm
    /// f/2.8-4".
    private static func lens(_ specification: [Fraction?]) -> String? {
        guard specification.count == 4, let shortest = specification[0].flatMap({ number($0.value) }) else {
            return nil
        }
        func range(_ first: String, _ last: String?) -> String {
            last.map { $0 == first ? first : "\(first)-\($0)" } ?? first
        }
        let values = specification.map { $0.flatMap { number($0.value) } }
        let lengths = "\(range(shortest, values[1])) mm"
        return values[2].map { "\(lengths) f/\(range($0, values[3]))" } ?? lengths
    }

    private static func duration(_ seconds: Fraction) -> String? {
        guard seconds.numerator > 0 else { return nil }
        // Cameras state times up to about a quarter of a second as reciprocals.
        if seconds.value < 0.3 { return number(1 / seconds.value, decimals: 0).map { "1/\($0) s" } }
        return number(seconds.value).map { "\($0) s" }
    }

    private static func aperture(_ number: Fraction) -> String? { self.number(number.value).map { "f/\($0)" } }

    private static func sensitivity(_ iso: Int) -> String? {
        // 65535 means that the number did not fit (EXIF 2.32 §4.6.5, PhotographicSensitivity).
        (1..<65535).contains(iso) ? "ISO \(iso)" : nil
    }

    private static func length(_ millimetres: Fraction) -> String? {
        number(millimetres.value).map { "\($0) mm" }
    }

    /// A positive number with at most `decimals` decimals, without trailing zeros; nil if no camera can have the value.
    private static func number(_ value: Double, decimals: Int = 1) -> String? {
        let scale = decimals == 0 ? 1.0 : 10.0
        let rounded = (value * scale).rounded()
        guard rounded > 0, value < 100_000 else { return nil }
        let whole = Int(rounded / scale)
        let tenths = Int(rounded) - whole * Int(scale)
        return tenths == 0 ? String(whole) : "\(whole).\(tenths)"
    }
}
