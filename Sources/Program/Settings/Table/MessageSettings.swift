/// The settings of messages.
package struct MessageSettings: SettingGroup {
    package static let title = "Messages"
    package static let table = MessageSettings()

    package let quiet = Setting("quiet", letter: "q", .toggle, default: "false", help: "Print only problems.")

    package let verbose = Setting("verbose", letter: "v", .toggle, default: "false", help: "Print more details.")

    package let logFormat = Setting(
        "log-format", .logFormat, default: "text",
        help: "Form of messages: text, or json for one JSON object per event.",
        details: "[The log](log.md) lists the events and their keys.")

    package let color = Setting(
        "color", .colour, default: "auto", help: "Use colours: auto, always or never.",
        details: "`auto` depends on the terminal, `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE`.")
}
