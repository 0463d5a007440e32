/// One setting: its name everywhere, what it allows, and how its text becomes a value.
package struct Setting<Value: Sendable>: Sendable {
    /// As the flag is called without its dashes, and as it stands in the settings file.
    package let name: String
    /// For messages: "a whole number from 1 to 100".
    package let allowed: String
    /// nil for a text that is not allowed.
    package let parse: @Sendable (String) -> Value?
    /// What exactly is wrong with a text that is not allowed, where more can be said than what is.
    package let explain: @Sendable (String) -> String?

    package init(
        name: String, allowed: String, parse: @escaping @Sendable (String) -> Value?,
        explain: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.name = name
        self.allowed = allowed
        self.parse = parse
        self.explain = explain
    }

    /// "GALLERYGEN_PER_PAGE" for "per-page".
    package var variable: String { SettingName.variable(name) }
}

/// The names of settings, in their spellings.
package enum SettingName {
    package static let prefix = "GALLERYGEN_"

    package static func variable(_ name: String) -> String {
        prefix + name.uppercased().replacing("-", with: "_")
    }
}
