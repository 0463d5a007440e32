internal import Downloads
internal import Gallery
internal import Notifications
internal import PhotoModel

/// The notifications about a build as the settings describe them.
struct NotificationTask {
    /// The file of `--metrics`; nil if there is none.
    let metrics: MetricsFile?
    /// The command of `--on-change`; nil if there is none.
    let command: ChangeCommand?
    /// The check of `--ping`; nil if there is none.
    let ping: HealthPing?

    /// Variables by which the service manager recognises this process, which is not the command.
    private static let privateVariables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

    init(
        _ layers: SettingLayers, paths: GalleryPaths, client: ClientProfile, environment: ProcessEnvironment
    ) throws(SettingsError) {
        let table = SettingsTable.table.notifications
        metrics = paths.metrics.map { MetricsFile(path: $0) }
        let limit = try layers.value(table.onChangeTimeout)
        var variables = environment.variables
        for name in Self.privateVariables { variables[name] = nil }
        variables["GALLERY_OUTPUT"] = paths.output
        command = try layers.value(table.onChange).map { text in
            ChangeCommand(text, folder: paths.commandFolder, environment: variables, limit: limit)
        }
        ping = try layers.value(table.ping).map { url in
            HealthPing(
                url, userAgent: client.userAgent, certificateFile: client.certificates.file,
                certificateFolders: client.certificates.folders)
        }
    }
}
