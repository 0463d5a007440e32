internal import Downloads

/// By which way servers are asked, from the variables that curl knows, read as it reads them: an empty one counts for
/// nothing, and `HTTP_PROXY` neither, which on a web server is a header of whoever asks.
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

    /// The first that says something.
    private func value(_ variables: [String]) -> String? {
        variables.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
}
