/// The locations of the files and folders of a gallery.
package struct LocationSettings: SettingGroup {
    package static let title = "Files and folders"
    package static let table = LocationSettings()

    package let output = Setting("output", letter: "o", .folder, default: "public", help: "The site.")

    package let state = Setting(
        "state", .folder, unset: ".gallerygen beside the first manifest", example: ".gallerygen",
        help: "Ledger and originals.",
        details: "Several galleries may share it. Beside the output for a manifest from a URL or standard input.")

    package let config = Setting(
        "config", .file, unset: "gallerygen.yaml beside the first manifest", example: "winter.yaml",
        help: "Settings, YAML, same names as the options.",
        details: "Relative paths in the file are found from the folder of the file.")
}
