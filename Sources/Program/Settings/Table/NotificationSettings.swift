/// The settings of notifications. None of them changes the site or the exit code of a build.
package struct NotificationSettings: SettingGroup {
    package static let title = "Notifications"
    package static let table = NotificationSettings()

    package let metrics = Setting(
        "metrics", .file, unset: "none", example: "/var/lib/prometheus/node-exporter/photos.prom",
        help: "File for figures about the photos and the build, in the text format of Prometheus.",
        details: """
            It is written after each build. [Get told about changes](../how-to/get-told.md) lists the metrics.
            """)

    package let onChange = Setting(
        "on-change", .command, unset: "none", example: "./notify.sh",
        help: "Command to run after a publication that changed something.",
        details: """
            `/bin/sh -c` runs it, with a JSON document about the changes on standard input, in the folder of the \
            settings file if the command is set there, else in the current folder. [Changes](changes.md) describes \
            the document and the environment.
            """)

    package let onChangeTimeout = Setting(
        "on-change-timeout", .duration, default: "1m", help: "Longest time for the command of on-change.",
        details: "After that time the command is ended, together with the processes that it has started.")

    package let ping = Setting(
        "ping", .pingURL, unset: "none", example: "https://hc-ping.com/00000000-0000-0000-0000-000000000000",
        help: "Address of a check of Healthchecks or a service like it, to report builds to.",
        details: """
            When a build begins, `/start` is appended to the address, and when it has ended, its exit code, with the \
            summary as the body. Each request takes at most 5 seconds.
            """)
}
