package import ArgumentParser

/// A setting with everything that flags, environment, settings file, help and the reference page need.
package struct Setting<Value: Sendable>: Sendable {
    /// The name of the setting: the flag without its dashes, and the key in the settings file.
    package let name: String
    package let kind: SettingKind<Value>
    /// The value that applies if no source has one.
    package let defaultValue: Value
    /// The default as text for people, such as "82" or "from the manifest's name".
    package let defaultText: String
    /// A value for the reference page and the sample settings. If the default is a value, it is the example.
    package let example: String
    /// The sentence for the help, with a full stop.
    package let help: String
    /// Sentences that only the reference page adds.
    package let details: String
    /// The letter of the short flag, such as "q" for `-q`; nil if there is none.
    package let letter: Character?

    /// Makes a setting whose default is one of its values.
    ///
    /// - Parameter default: the default in the form that a user would type, so that help, reference and value can't
    ///   differ. The program does not start if it is invalid.
    package init(
        _ name: String, letter: Character? = nil, _ kind: SettingKind<Value>, default text: String, help: String,
        details: String = ""
    ) {
        guard let value = kind.parse(text) else { preconditionFailure("\(name): the default '\(text)' is not allowed") }
        self.name = name
        self.kind = kind
        defaultValue = value
        defaultText = text
        example = text
        self.help = help
        self.details = details
        self.letter = letter
    }

    /// Makes a setting that can be unset.
    ///
    /// - Parameter unset: a description of the default behaviour, such as "from the manifest's name".
    package init<Wrapped>(
        _ name: String, letter: Character? = nil, _ kind: SettingKind<Wrapped>, unset: String, example: String,
        help: String, details: String = ""
    ) where Value == Wrapped? {
        self.name = name
        self.kind = kind.optional
        defaultValue = nil
        defaultText = unset
        self.example = example
        self.help = help
        self.details = details
        self.letter = letter
    }
}

/// A setting of any type, for code that only needs its texts.
package protocol SettingEntry: Sendable {
    var name: String { get }
    var defaultText: String { get }
    var example: String { get }
    var help: String { get }
    var details: String { get }
    var letter: Character? { get }
    var placeholder: String? { get }
    var allowed: String { get }
    var completion: CompletionKind { get }
    /// Returns an error for each invalid value in any source.
    func errors(in layers: SettingLayers) -> [SettingsError]
}

extension Setting: SettingEntry {
    package var placeholder: String? { kind.placeholder }
    package var allowed: String { kind.allowed }
    package var completion: CompletionKind { kind.completion }
}

extension SettingEntry {
    /// The name of the environment variable, such as "GALLERYGEN_PER_PAGE" for "per-page".
    package var variable: String { SettingName.variable(name) }
}

/// Conversions between the spellings of a setting's name.
package enum SettingName {
    package static let prefix = "GALLERYGEN_"

    package static func variable(_ name: String) -> String {
        prefix + name.uppercased().replacing("-", with: "_")
    }
}
