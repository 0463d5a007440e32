/// The settings of a run: what it does, how long it takes, and when it counts as failed.
package struct RunSettings: SettingGroup {
    package static let title = "Run"
    package static let table = RunSettings()

    package let live = Setting(
        "live", .toggle, default: "false",
        help: "Publish each photo as soon as it is ready, on a page that updates itself.")

    package let watch = Setting(
        "watch", .toggle, default: "false",
        help: "Keep running, and rebuild when the manifest, its pictures, the settings or the templates change.",
        details: "Remote photos and manifests are checked every 5 minutes, or as `--max-age` says. Photos that "
            + "have failed or are stale are tried again at least every 5 minutes, unless the server asks for a longer "
            + "wait.")

    package let wait = Setting(
        "wait", .wait, default: "0", help: "How long to wait for another build to finish; 0 for not at all.",
        details: "The manifest and the settings are read again afterwards.")

    package let force = Setting(
        "force", .toggle, default: "false", help: "Download, filter and publish everything again.",
        details: "Files that have not changed are not written.")

    package let dryRun = Setting("dry-run", .toggle, default: "false", help: "Only print what would be done.")

    package let explain = Setting(
        "explain", .toggle, default: "false", help: "Explain why each piece of work is done.")

    package let printSettings = Setting(
        "print-settings", .toggle, default: "false",
        help: "Only print each setting, its value and where it comes from.",
        details: """
            On a terminal this is a table. Elsewhere it is a line for each setting, whose three fields are separated \
            by tabs. The values of `headers` are not shown.
            """)

    package let strict = Setting(
        "strict", .toggle, default: "false", help: "Exit with 1 if any photo failed.",
        details: "With `--store`, `build` counts photos that no shard has done too.")

    package let strictStale = Setting(
        "strict-stale", .toggle, default: "false",
        help: "Exit with 1 if any photo failed, or is stale, frozen or suspicious.")

    package let report = Setting(
        "report", .listedProblems, default: "all",
        help: "Photos that the summary lists as failed, stale or marked: all, or only the new ones.",
        details: """
            With `new`, a photo is listed by the first build that finds it failed, stale or marked, and again if its \
            reason code changes or its mark is about another picture. What a build found that failed or was \
            interrupted is listed by the next one that succeeds. Warnings about the list itself are printed in each \
            run, except with `--quiet`.
            """)

    package let allowEmpty = Setting(
        "allow-empty", .toggle, default: "false", help: "Accept a manifest without photos, which empties the site.")
}
