/// The settings of a run: what it does, for how long, and when it counts as failed.
package struct RunSettings: SettingGroup {
    package static let title = "Run"
    package static let table = RunSettings()

    package let live = Setting(
        "live", .toggle, default: "false",
        help: "Publish each photo as soon as it is ready, on a page that updates itself.")

    package let watch = Setting(
        "watch", .toggle, default: "false",
        help: "Stay, and build again when the manifest, its pictures, the settings or the templates change.",
        details: "Photos and manifests of other hosts are asked for every 5 minutes, or as `--max-age` says.")

    package let wait = Setting(
        "wait", .wait, default: "0", help: "Time to wait for another build to end; 0 for not at all.",
        details: "Manifest and settings are read after that.")

    package let force = Setting(
        "force", .toggle, default: "false", help: "Download, filter and publish everything again.",
        details: "A file that comes out the same is not written.")

    package let dryRun = Setting("dry-run", .toggle, default: "false", help: "Only print what would be done.")

    package let explain = Setting(
        "explain", .toggle, default: "false", help: "Give each piece of work its reason.")

    package let strict = Setting("strict", .toggle, default: "false", help: "Exit with 1 if any photo failed.")

    package let allowEmpty = Setting(
        "allow-empty", .toggle, default: "false", help: "Accept a manifest with no photo, which empties the site.")
}
