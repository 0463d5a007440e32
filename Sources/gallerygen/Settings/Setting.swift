/// One setting: its name everywhere, what it allows, and how its text becomes a value.
struct Setting<Value> {
    /// As the flag is called without its dashes, and as it stands in the settings file.
    let name: String
    /// For messages: "a whole number from 1 to 100".
    let allowed: String
    /// nil for a text that is not allowed.
    let parse: (String) -> Value?

    /// "GALLERYGEN_PER_PAGE" for "per-page".
    var variable: String { SettingName.variable(name) }
}

/// The names of settings, in their spellings.
enum SettingName {
    static let prefix = "GALLERYGEN_"

    static func variable(_ name: String) -> String {
        prefix + name.uppercased().replacing("-", with: "_")
    }
}
