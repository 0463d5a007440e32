/// The locations of the files and folders of a gallery.
package struct LocationSettings: SettingGroup {
    package static let title = "Files and folders"
    package static let table = LocationSettings()

    package let output = Setting(
        "output", letter: "o", .folder, unset: "public beside the first manifest", example: "public",
        help: "Folder of the site.",
        details: "For a manifest from a URL or standard input it is in the current folder.")

    package let state = Setting(
        "state", .folder, unset: ".gallerygen beside the first manifest", example: ".gallerygen",
        help: "Folder of the ledger and the originals.",
        details: "Several galleries may share it. For a manifest from a URL or standard input it is beside the output.")

    package let config = Setting(
        "config", .file, unset: "gallerygen.yaml beside the first manifest", example: "winter.yaml",
        help: "Settings file: YAML with the names of the options.",
        details: "Paths in the file are relative to its folder.")
}
