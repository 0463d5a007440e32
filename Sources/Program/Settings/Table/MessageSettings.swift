/// The settings of what is printed.
package struct MessageSettings: SettingGroup {
    package static let title = "Messages"
    package static let table = MessageSettings()

    package let quiet = Setting("quiet", letter: "q", .toggle, default: "false", help: "Say only what is wrong.")

    package let verbose = Setting("verbose", letter: "v", .toggle, default: "false", help: "Say more.")

    package let color = Setting(
        "color", .colour, default: "auto", help: "Colours: auto, always or never.",
        details: "`auto` goes by the terminal, `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE`.")
}
