/// Decides whether a request may be answered. Any page that is open in a browser can send requests to this machine, so
/// the address of the socket alone protects nothing.
struct RequestCheck {
    /// The names by which the preview is reached, with its port.
    private let hosts: Set<String>

    init(port: UInt16) {
        hosts = Set(["127.0.0.1", "localhost"].flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] })
    }

    /// - Parameter header: returns the value of a request's header field.
    /// - Returns: why the request is refused; nil if it may be answered.
    func refusal(_ header: (String) -> String?) -> String? {
        // A name of another site can be rebound to 127.0.0.1. Its pages would then count as the same origin.
        guard let host = header("Host")?.lowercased(), hosts.contains(host) else {
            return "This preview is only reached as 127.0.0.1 or localhost."
        }
        if let origin = header("Origin"), origin.lowercased() != "http://" + host {
            return "Pages of other origins may not use this preview."
        }
        // Scripts and pictures are requested without `Origin`, and by pages of another port with the site "same-site"
        // (Fetch Metadata Request Headers §2.3). A person may follow a link from anywhere.
        let site = header("Sec-Fetch-Site") ?? "none"
        let isNavigation = header("Sec-Fetch-Mode") == "navigate" && header("Sec-Fetch-Dest") == "document"
        guard ["none", "same-origin"].contains(site) || isNavigation else {
            return "Pages of other origins may not use this preview."
        }
        return nil
    }
}
