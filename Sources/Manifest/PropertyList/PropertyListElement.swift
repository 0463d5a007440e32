/// The elements that a property list can have inside `plist`, by Apple's PropertyList-1.0.dtd.
enum PropertyListElement: String, CaseIterable {
    case key, string, integer, real, date, data, `true`, `false`, dict, array
}
