/// One setting: its name everywhere, what it allows, and how its text becomes a value.
struct Setting<Value: Sendable>: Sendable {
    /// As the flag is called without its dashes, and as it stands in the settings file.
    let name: String
    /// For messages: "a whole number from 1 to 100".
    let allowed: String
    /// nil for a text that is not allowed.
    let parse: @Sendable (String) -> Value?
    /// What exactly is wrong with a text that is not allowed, where more can be said than what is.
    var explain: @Sendable (String) -> String? = { _ in nil }

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
