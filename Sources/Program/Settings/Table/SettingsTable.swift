/// The table of settings. Flags, environment variables, the settings file, help, docs/reference/settings.md and the
/// sample of `init` are made from it: a new setting is an entry in one of its groups, and its use. A setting that
/// changes the bytes of pictures is also part of `PhotoRecipe` and `Recipe`.
package struct SettingsTable: Sendable {
    package let locations = LocationSettings.table
    package let page = PageSettings.table
    package let pictures = PictureSettings.table
    package let downloads = DownloadSettings.table
    package let publishing = PublishSettings.table
    package let sharing = SharingSettings.table
    package let notifications = NotificationSettings.table
    package let run = RunSettings.table
    package let messages = MessageSettings.table

    package static let table = SettingsTable()

    package static let groups = Mirror(reflecting: table).children.compactMap { $0.value as? any SettingGroup }

    /// All settings, in the order of the help.
    package static let entries: [any SettingEntry] = groups.flatMap(\.entries)

    /// The names that are allowed in a settings file besides `headers`: all except the setting that names the file
    /// itself.
    package static let namesInFile = entries.map(\.name).filter { $0 != table.locations.config.name }
}
