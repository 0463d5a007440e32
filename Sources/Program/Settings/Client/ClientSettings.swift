internal import Downloads
internal import Foundation

/// The settings of HTTP requests: user agent, credentials, header fields, proxies and certificates.
struct ClientSettings {
    let profile: ClientProfile
    /// Warnings about likely mistakes that don't prevent a build.
    let warnings: [String]

    init(_ layers: SettingLayers, environment: ProcessEnvironment) throws(SettingsError) {
        var warnings: [String] = []
        var netrc: String?
        if try layers.value(SettingsTable.table.downloads.netrc) {
            let path = environment.home.map { $0 + "/.netrc" }
            if let path, FileManager.default.isReadableFile(atPath: path) {
                netrc = path
            } else {
                let problem = path.map { "\($0) does not exist or can't be read" } ?? "HOME is not set to a folder"
                warnings.append("netrc: \(problem)")
            }
        }
        let name = try layers.value(SettingsTable.table.downloads.userAgent) ?? Version.userAgent
        // The plus sign before an address is a convention of crawlers.
        let contact = try layers.value(SettingsTable.table.downloads.contact).map { " (+\($0))" } ?? ""
        profile = ClientProfile(
            userAgent: name + contact,
            headers: try layers.file?.headers.resolved(environment.variables) ?? HostHeaders(), netrc: netrc,
            certificates: try CertificateSettings(environment: environment).certificates(),
            proxies: ProxySettings(environment: environment.variables).proxies)
        self.warnings = warnings
    }

    /// The settings for a command that sends no requests. A missing certificate file is not an error there.
    init() {
        profile = ClientProfile(userAgent: Version.userAgent)
        warnings = []
    }
}
