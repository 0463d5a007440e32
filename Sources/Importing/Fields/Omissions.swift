internal import PhotoModel

/// A place in a source, as people find it there.
struct SourcePlace: Hashable {
    enum Unit: String {
        /// A row of a spreadsheet. The row with the names of the columns is the first, and empty rows count.
        case row
        case line
    }

    let unit: Unit
    /// The number of the row or line, from 1.
    let number: Int
}

/// How often something is left out, and where that happens first.
struct Omission: Equatable {
    /// The maximum number of places that a warning names. A source can have any number of them.
    private static let shownPlaces = 5

    private(set) var count = 0
    /// The first places in their order. There is one more than a warning names if there are others.
    private var places: [SourcePlace] = []

    mutating func add(at place: SourcePlace?) {
        count += 1
        if let place, places.count <= Self.shownPlaces, places.last != place { places.append(place) }
    }

    mutating func add(_ other: Omission) {
        count += other.count
        places = Array(Set(places + other.places).sorted { $0.number < $1.number }.prefix(Self.shownPlaces + 1))
    }

    /// The first places for the end of a sentence: " (rows 3 and 5)"; empty if no place is known.
    var shown: String {
        guard let unit = places.first?.unit.rawValue else { return "" }
        var names = places.prefix(Self.shownPlaces).map { String($0.number) }
        guard names.count > 1 else { return " (\(unit) \(names[0]))" }
        let last = places.count > names.count ? "more" : names.removeLast()
        return " (\(unit)s \(names.joined(separator: ", ")) and \(last))"
    }
}

/// The entries of a source, and values in them, that a list can't contain. They are left out with a warning.
struct Omissions {
    /// The entries without an address that a list can contain.
    var entries = Omission()
    private var values: [FieldNames.Field: Omission] = [:]

    /// The fields whose values can be unusable, and why, for one value and for several.
    private static let reasons: [(field: FieldNames.Field, noun: String, one: String, several: String)] = [
        (.filter, "filter", "it is none of gallerygen's", "they are none of gallerygen's"),
        (.rating, "rating", "it is not a number from 0 to 5", "they are not numbers from 0 to 5"),
        (
            .link, "link", "it is no http(s) address, or contains a user name",
            "they are no http(s) addresses, or contain a user name"
        ),
    ]

    /// Adds the fields of an entry whose values the list can't contain.
    mutating func add(_ fields: [FieldNames.Field], at place: SourcePlace?) {
        for field in fields { values[field, default: Omission()].add(at: place) }
    }

    /// A sentence for each kind of omission.
    var warnings: [String] {
        var warnings: [String] = []
        if entries.count > 0 {
            warnings.append("\(entries.count) of its entries have no address that a list can name\(entries.shown)")
        }
        for (field, noun, one, several) in Self.reasons {
            guard let values = values[field] else { continue }
            let reason = values.count == 1 ? "is left out, because \(one)" : "are left out, because \(several)"
            warnings.append("\(counted(values.count, noun)) \(reason)\(values.shown)")
        }
        return warnings
    }
}
