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

/// What is left out of the entries of a source.
struct Omissions {
    /// The entries without an address that a list can contain.
    var entries = Omission()
    private var filters = Omission()

    /// Adds the fields of an entry whose values the list can't contain.
    mutating func add(_ fields: [FieldNames.Field], at place: SourcePlace?) {
        if fields.contains(.filter) { filters.add(at: place) }
    }

    /// A sentence for each kind of omission.
    var warnings: [String] {
        var warnings: [String] = []
        if entries.count > 0 {
            warnings.append("\(entries.count) of its entries have no address that a list can name\(entries.shown)")
        }
        if filters.count > 0 {
            let reason = filters.count == 1 ? "is left out, because it is none" : "are left out, because they are none"
            warnings.append("\(counted(filters.count, "filter")) \(reason) of gallerygen's\(filters.shown)")
        }
        return warnings
    }
}
