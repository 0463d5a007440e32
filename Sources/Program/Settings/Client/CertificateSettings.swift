internal import Downloads
internal import Foundation

/// The trusted certificate authorities, from the environment variables of curl and OpenSSL. libcurl itself reads none
/// of these variables.
struct CertificateSettings {
    let environment: ProcessEnvironment

    /// - Throws: `SettingsError` for a file or folder that does not exist, or a file without certificates.
    func certificates() throws(SettingsError) -> TrustedCertificates {
        if let file = try file("CURL_CA_BUNDLE") { return TrustedCertificates(file: file) }
        return TrustedCertificates(file: try file("SSL_CERT_FILE"), folders: try folders("SSL_CERT_DIR"))
    }

    /// - Returns: the absolute path of the file; nil if the variable is not set.
    private func file(_ variable: String) throws(SettingsError) -> String? {
        guard let name = environment.variables[variable], !name.isEmpty else { return nil }
        let path = environment.absolute(name)
        guard FileManager.default.fileExists(atPath: path) else { throw error(variable, name, "no such file") }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw error(variable, name, "it can't be read")
        }
        // PEM headers differ: "BEGIN CERTIFICATE", "BEGIN TRUSTED CERTIFICATE", "BEGIN X509 CERTIFICATE".
        guard bytes.firstRange(of: Data("-----BEGIN ".utf8)) != nil,
            bytes.firstRange(of: Data("CERTIFICATE-----".utf8)) != nil
        else {
            throw error(variable, name, "it contains no certificate in PEM format")
        }
        return path
    }

    private func folders(_ variable: String) throws(SettingsError) -> String? {
        guard let names = environment.variables[variable], !names.isEmpty else { return nil }
        var paths: [String] = []
        for name in names.split(separator: ":").map(String.init) {
            let path = environment.absolute(name)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
                throw error(variable, name, "no such folder")
            }
            paths.append(path)
        }
        return paths.joined(separator: ":")
    }

    private func error(_ variable: String, _ path: String, _ what: String) -> SettingsError {
        SettingsError(origin: .environment, message: "environment variable \(variable): \(path): \(what)")
    }
}
