internal import Foundation

/// The settings of the AWS tools, in variables and in the files of profiles.
struct AWSSettings {
    private let environment: [String: String]
    private let credentialsProfile: [String: String]
    private let configProfile: [String: String]

    init(environment: [String: String], home: String?) {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        self.environment = environment
        let profile = variable("AWS_PROFILE") ?? "default"
        let credentialsPath = variable("AWS_SHARED_CREDENTIALS_FILE") ?? home.map { $0 + "/.aws/credentials" }
        let configPath = variable("AWS_CONFIG_FILE") ?? home.map { $0 + "/.aws/config" }
        credentialsProfile = ProfileFile(path: credentialsPath)[profile]
        configProfile = ProfileFile(path: configPath)[profile == "default" ? profile : "profile \(profile)"]
    }

    /// The value of the first of several variables that is set. An empty variable counts as not set.
    func variable(_ names: String...) -> String? {
        for name in names { if let value = environment[name], !value.isEmpty { return value } }
        return nil
    }

    func profile(_ name: String) -> String? { configProfile[name] ?? credentialsProfile[name] }

    /// The credentials in the order of the AWS tools: variables, web identity, the file of credentials, the file of
    /// settings.
    /// - Parameter endpoint: the URL of the server of temporary credentials.
    func credentials(
        temporaryFrom endpoint: String, certificates: String?
    ) throws(ObjectStoreError) -> CredentialSource {
        if let key = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") {
            let credentials = Credentials(
                accessKey: key, secretKey: secret, sessionToken: variable("AWS_SESSION_TOKEN"))
            try credentials.check()
            return .fixed(credentials)
        }
        if let file = variable("AWS_WEB_IDENTITY_TOKEN_FILE") ?? profile("web_identity_token_file"),
            let role = variable("AWS_ROLE_ARN") ?? profile("role_arn")
        {
            return .webIdentity(
                WebIdentity(
                    tokenFile: file, role: role,
                    sessionName: variable("AWS_ROLE_SESSION_NAME") ?? profile("role_session_name") ?? "gallerygen",
                    endpoint: endpoint, certificates: certificates))
        }
        for profile in [credentialsProfile, configProfile] {
            guard let key = profile["aws_access_key_id"], let secret = profile["aws_secret_access_key"] else {
                continue
            }
            let credentials = Credentials(
                accessKey: key, secretKey: secret, sessionToken: profile["aws_session_token"])
            try credentials.check()
            return .fixed(credentials)
        }
        throw .noCredentials
    }
}
