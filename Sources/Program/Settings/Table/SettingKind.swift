internal import ArgumentParser
internal import Downloads
internal import Imaging
internal import PhotoModel
internal import Site

/// A kind of setting: the allowed values, their parser, and their description for people.
package struct SettingKind<Value: Sendable>: Sendable {
    /// The placeholder in the help, such as "n" in `--quality <n>`; nil for a switch, whose flag takes no value.
    package let placeholder: String?
    /// The description of the allowed values for messages, such as "a whole number from 1 to 100".
    package let allowed: String
    /// The shell completion of the values.
    let completion: CompletionKind
    /// The parser. It returns nil for an invalid text.
    package let parse: @Sendable (String) -> Value?
    /// A more precise message for an invalid value; nil if there is none.
    package let explain: @Sendable (String) -> String?

    init(
        _ placeholder: String?, allowed: String, completion: CompletionKind = .default,
        parse: @escaping @Sendable (String) -> Value?, explain: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.placeholder = placeholder
        self.allowed = allowed
        self.completion = completion
        self.parse = parse
        self.explain = explain
    }

    /// The same kind, for a setting that can be unset.
    var optional: SettingKind<Value?> {
        SettingKind<Value?>(
            placeholder, allowed: allowed, completion: completion,
            parse: { [parse] in parse($0).map(Optional.some) }, explain: explain)
    }
}

extension SettingKind<Bool> {
    static let toggle = SettingKind(nil, allowed: "true or false", parse: SettingParsers.flag)
}

extension SettingKind<String> {
    static let folder = SettingKind("folder", allowed: "a folder", completion: .directory, parse: SettingParsers.text)
    static let file = SettingKind("file", allowed: "a file", completion: .file(), parse: SettingParsers.text)
    static let text = SettingKind("text", allowed: "a text that is not only white space", parse: SettingParsers.text)
    static let fieldValue = SettingKind(
        "text", allowed: "a text without line breaks that is not only white space",
        parse: SettingParsers.fieldValue)
    static let contact = SettingKind(
        "address", allowed: "an address without line breaks, parentheses and backslashes",
        parse: SettingParsers.contact)
    static let command = SettingKind("command", allowed: "a shell command", parse: SettingParsers.text)
    static let pingURL = SettingKind(
        "url", allowed: "an absolute http or https address without user, password and fragment",
        parse: SettingParsers.pingURL)
    static let baseURL = SettingKind(
        "url", allowed: "an absolute http or https address without query and fragment", parse: SettingParsers.baseURL)
    static let language = SettingKind(
        "tag", allowed: "a language tag such as en or pt-BR", parse: SettingParsers.language)
}

extension SettingKind<Int> {
    static func integer(_ range: ClosedRange<Int>) -> SettingKind {
        SettingKind(
            "n", allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            parse: SettingParsers.integer(range))
    }

    static let pixels = SettingKind("size", allowed: "a number of pixels such as 200MP", parse: SettingParsers.pixels)
}

extension SettingKind<Int64> {
    static let bytes = SettingKind("size", allowed: "a size such as 100MB or 512kB", parse: SettingParsers.bytes)
}

extension SettingKind<Double> {
    static let rate = SettingKind(
        "n", allowed: "a number of requests per second from 0.001 to 1000", parse: SettingParsers.rate)
}

extension SettingKind<[Int]> {
    static let widths = SettingKind(
        "list", allowed: "a list of widths from 1 to 20000 such as 400,800,1600", parse: SettingParsers.widths)
}

extension SettingKind<Duration> {
    static let duration = SettingKind("time", allowed: "a duration such as 10s or 2m", parse: SettingParsers.duration)
    static let wait = SettingKind("time", allowed: "0, or a duration such as 10m", parse: SettingParsers.wait)
}

extension SettingKind<MaxAge> {
    static let maxAge = SettingKind(
        "auto|time", allowed: "auto, a duration such as 1h, or 0 to ask always", parse: SettingParsers.maxAge)
}

extension SettingKind<MinAge> {
    static let minAge = SettingKind(
        "auto|time", allowed: "auto, a duration such as 10m, or 0 to ask always", parse: SettingParsers.minAge)
}

extension SettingKind<ExpectedChange> {
    static let expectedChange = SettingKind(
        "time", allowed: ExpectedChange.allowed, parse: { ExpectedChange($0) })
}

/// The value of `--archive`.
package enum ArchiveSetting: String, CaseIterable, Sendable {
    case none, wayback
}

extension SettingKind<ArchiveSetting> {
    static let archive = SettingKind(
        "name", allowed: "wayback or none", completion: .list(ArchiveSetting.allCases.map(\.rawValue)),
        parse: { ArchiveSetting(rawValue: $0) })
}

extension SettingKind<FilterChain> {
    static let filter = SettingKind(
        "chain", allowed: "none, or a chain of CSS filter functions such as 'sepia(0.8) contrast(1.1)'",
        parse: SettingParsers.filter, explain: SettingParsers.filterProblem)
}

extension SettingKind<PublishedFormats> {
    static let formats = SettingKind(
        "list", allowed: "jpeg or jpeg,webp", completion: .list(["jpeg", "jpeg,webp"]),
        parse: SettingParsers.formats, explain: SettingParsers.formatsProblem)
}

extension SettingKind<SitePermissions> {
    static let permissions = SettingKind(
        "mode", allowed: "octal permissions without x that let the owner read and write, such as 644 or 664",
        parse: { SitePermissions(octal: $0) })
}

extension SettingKind<PublishTargetSetting> {
    static let publishTarget = SettingKind(
        "target", allowed: "none, a folder, user@host:/path for rsync over ssh, or s3://bucket/prefix",
        completion: .directory,
        parse: PublishTargetSetting.init, explain: PublishTargetSetting.problem)
}

extension SettingKind<LogFormat> {
    static let logFormat = SettingKind(
        "format", allowed: "text or json", completion: .list(LogFormat.allCases.map(\.rawValue)),
        parse: { LogFormat(rawValue: $0) })
}

extension SettingKind<ListedProblems> {
    static let listedProblems = SettingKind(
        "which", allowed: "all or new", completion: .list(ListedProblems.allCases.map(\.rawValue)),
        parse: { ListedProblems(rawValue: $0) })
}

extension SettingKind<Console.Colour> {
    static let colour = SettingKind(
        "when", allowed: "auto, always or never", completion: .list(Console.Colour.allCases.map(\.rawValue)),
        parse: { Console.Colour(rawValue: $0) })
}
