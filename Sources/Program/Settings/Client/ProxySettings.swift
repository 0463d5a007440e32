internal import Downloads

/// The proxies of requests, from the environment variables of curl and by curl's rules: an empty variable counts as
/// unset. `HTTP_PROXY` in capitals is not read, because a CGI server sets it from the `Proxy` header field of a
/// request.
struct ProxySettings {
    let environment: [String: String]

    var proxies: Proxies {
        Proxies(
            plain: proxy("http_proxy"), secure: proxy("https_proxy", "HTTPS_PROXY"),
            exceptions: value("no_proxy", "NO_PROXY") ?? "")
    }

    private func proxy(_ variables: String...) -> Proxy? {
        (value(variables) ?? value("all_proxy", "ALL_PROXY")).map { Proxy($0) }
    }

    private func value(_ variables: String...) -> String? { value(variables) }

    /// The value of the first variable that is set and not empty.
    private func value(_ variables: [String]) -> String? {
        variables.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
}
