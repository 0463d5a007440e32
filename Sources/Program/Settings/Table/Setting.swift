package import ArgumentParser

/// A setting: everything that flags, environment, settings file, help and the reference page have to know of it.
package struct Setting<Value: Sendable>: Sendable {
    /// The name of the flag without its dashes, and of the entry in the settings file.
    package let name: String
    package let kind: SettingKind<Value>
    /// The value where no layer has one.
    package let defaultValue: Value
    /// The default for people: "82", "from the manifest's name".
    package let defaultText: String
    /// A value for the reference page and the sample settings; where the default is a value, it is that.
    package let example: String
    /// The sentence of the help, with a full stop.
    package let help: String
    /// Sentences that only the reference page adds.
    package let details: String
    /// "q" for a setting whose flag is also `-q`.
    package let letter: Character?

    /// A setting whose default is one of its values.
    ///
    /// - Parameter default: as somebody would write it, so that help, reference and value cannot differ. The program
    ///   does not start with one that is not allowed.
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

    /// A setting that may be unset.
    ///
    /// - Parameter unset: what happens then: "from the manifest's name".
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

/// A setting of any type, for all that needs its texts alone.
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
    /// An error for each value that is not allowed, in any layer.
    func errors(in layers: SettingLayers) -> [SettingsError]
}

extension Setting: SettingEntry {
    package var placeholder: String? { kind.placeholder }
    package var allowed: String { kind.allowed }
    package var completion: CompletionKind { kind.completion }
}

extension SettingEntry {
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
