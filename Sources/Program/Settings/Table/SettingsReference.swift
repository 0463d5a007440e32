/// docs/reference/settings.md: every setting with its values, its default and its names, generated from the table.
package enum SettingsReference {
    private static let introduction = """
        # Settings

        <!-- Written by `make reference` from Sources/Program/Settings/Table. -->

        A flag overrides the environment variable, which overrides the settings file, which overrides the default. A
        value that is not allowed is an error in each of them, even if another one overrides it. An empty variable
        counts as not set.

        A switch is `true` or `false` in the environment and in the settings file. It has a flag for each, so
        `--no-watch` overrides `watch: true` of the settings file.

        The settings file is `gallerygen.yaml` beside the first manifest, or the file that `--config` names. Paths
        in it are relative to its folder. Its `headers`, which are sent to hosts, have neither a flag nor a variable;
        see [How photos are downloaded](../explanation/downloads.md). In settings and flags, a path on this machine
        that begins with `~/` is in your home folder. Paths in a list are not expanded.

        `build` and `check` have all flags of this page; `serve`, `publish`, `status`, `clean` and `shards` have those
        that their `--help` lists.

        """

    package static var text: String {
        introduction + SettingsTable.groups.map(section).joined()
    }

    private static func section(_ group: any SettingGroup) -> String {
        "\n## \(type(of: group).title)\n" + group.entries.map(entry).joined()
    }

    private static func entry(_ setting: any SettingEntry) -> String {
        let sentences = [setting.help, setting.details].filter { !$0.isEmpty }.joined(separator: " ")
        let isInFile = SettingsTable.namesInFile.contains(setting.name)
        let file = isInFile ? "; in the settings file `\(setting.name): \(setting.example)`" : ""
        return """

            ### `\(setting.flagSynopsis)`

            \(wrapped(sentences))

            - Default: \(setting.shownDefault)
            - Allowed: \(setting.allowed)
            - Variable: `\(setting.variable)`\(file)

            """
    }

    /// The text, wrapped to lines of at most 120 characters.
    private static func wrapped(_ text: String) -> String {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + word.count < 120 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }
}
