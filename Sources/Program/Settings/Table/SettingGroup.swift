/// Settings that belong together: a section of the help and of the reference page. The stored properties are the
/// settings, in the order in which they are shown.
package protocol SettingGroup: Sendable {
    static var title: String { get }
    static var table: Self { get }
}

extension SettingGroup {
    package var entries: [any SettingEntry] {
        Mirror(reflecting: self).children.compactMap { $0.value as? any SettingEntry }
    }
}
