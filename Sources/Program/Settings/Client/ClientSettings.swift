internal import Downloads
internal import Foundation

/// How the requests of a command introduce themselves, and what they bring along.
struct ClientSettings {
    let profile: ClientProfile
    /// Things that look like mistakes but do not stop anything.
    let warnings: [String]

    init(_ layers: SettingLayers, surroundings: Surroundings) throws(SettingsError) {
        var warnings: [String] = []
        var netrc: String?
        if try layers.value(BuildSettings.netrc) ?? false {
            let path = surroundings.home.map { $0 + "/.netrc" }
            if let path, FileManager.default.isReadableFile(atPath: path) {
                netrc = path
            } else {
                warnings.append("netrc: \(path.map { "there is no readable \($0)" } ?? "HOME names no folder")")
            }
        }
        profile = ClientProfile(
            userAgent: try layers.value(BuildSettings.userAgent) ?? Version.userAgent,
            headers: try layers.file?.headers.resolved(surroundings.environment) ?? HostHeaders(), netrc: netrc,
            certificates: try CertificateSettings(surroundings: surroundings).certificates(),
            proxies: ProxySettings(environment: surroundings.environment).proxies)
        self.warnings = warnings
    }

    /// For a command that asks no server: what is missing for that does not concern it.
    init() {
        profile = ClientProfile(userAgent: Version.userAgent)
        warnings = []
    }
}
