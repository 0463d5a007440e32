/// A setting: its name, its allowed values, and its parser.
package struct Setting<Value: Sendable>: Sendable {
    /// The name of the flag without its dashes, and of the entry in the settings file.
    package let name: String
    /// For messages: "a whole number from 1 to 100".
    package let allowed: String
    /// nil for a text that is not allowed.
    package let parse: @Sendable (String) -> Value?
    /// A more precise message for a value that is not allowed.
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
