internal import CLibCurl
internal import PhotoModel

/// Turns a failure that libcurl reports into a `Failure`. The host is the only part of an address that gets into it.
struct TransferFailure {
    private let report: TransferReport
    private let limits: TransferLimits
    /// The host that was contacted, after redirects.
    private let host: String
    private let isSecure: Bool
    /// The proxy that was used; nil if there was none, or if that is not certain.
    private let proxy: Proxy?

    init(_ report: TransferReport, address: RemoteAddress, limits: TransferLimits, proxies: Proxies) {
        self.report = report
        proxy = proxies.proxy(for: address)
        self.limits = limits
        host = address.host
        isSecure = address.isSecure
    }

    /// The failure of the transfer. It always concerns this photo alone, even if libcurl calls a malformed response a
    /// bad argument or a lack of memory. Failures of libcurl's options and of the multi handle are thrown where they
    /// occur.
    var failure: Failure {
        if let proxy, let problem = problem(of: proxy) { .proxy(host: proxy.host, problem) } else { failureOfServer }
    }

    /// - Returns: the failure of the proxy; nil if the server failed.
    private func problem(of proxy: Proxy) -> ProxyProblem? {
        switch report.code {
        // Behind a proxy, the only name that is resolved here is the proxy's.
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST: .unknown
        case CURLE_COULDNT_CONNECT: .unreachable
        case CURLE_PROXY: .refused(host: host, status: nil)
        case CURLE_OPERATION_TIMEDOUT: .slow(seconds: limits.connectTimeout.inSeconds)
        // After an answer to CONNECT, a TLS failure is the server's and not the proxy's.
        case _ where isOfTLS && proxy.isSecure && (!isSecure || report.proxyStatus == 0):
            isHandshakeLost ? nil : .tls(detail: secureConnectionDetail)
        case _ where report.proxyStatus >= 300: .refused(host: host, status: report.proxyStatus)
        default: nil
        }
    }

    private var failureOfServer: Failure {
        switch report.code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .dns(host: host)
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: .connect(host: host)
        // libcurl only knows the limit on connecting; `TransferLoop` enforces the limit on the whole transfer.
        case CURLE_OPERATION_TIMEDOUT: .timeout(seconds: limits.connectTimeout.inSeconds)
        case CURLE_URL_MALFORMAT: .badAddress(.invalidOrRedirect)
        case CURLE_LOGIN_DENIED: .badAddress(.redirectToUser)
        case CURLE_BAD_CONTENT_ENCODING: .damaged(.contentEncoding)
        case CURLE_FILESIZE_EXCEEDED: .tooLarge(limit: limits.maxBytes)
        case _ where isOfTLS: isHandshakeLost ? .interrupted : .tls(host: host, detail: secureConnectionDetail)
        case _ where report.proxyStatus >= 300: .connect(host: host)
        // Everything else is a response that broke off or was malformed: no data, half a body, a reset, or an invalid
        // chunk or frame.
        default: .interrupted
        }
    }

    private var isOfTLS: Bool {
        switch report.code {
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
            true
        default: false
        }
    }

    /// Whether the connection was lost during the TLS handshake, which reveals nothing about the TLS of either side.
    private var isHandshakeLost: Bool {
        report.code == CURLE_SSL_CONNECT_ERROR
            && ["SSL_connect: ", "unexpected eof while reading", "Recv failure: ", "Send failure: "]
                .contains { report.errorText.contains($0) }
    }

    /// A reason such as "certificate has expired" or "wrong version number", or else libcurl's message for the code.
    private var secureConnectionDetail: String {
        for beginning in ["SSL certificate problem: ", "SSL: "] where report.errorText.hasPrefix(beginning) {
            return String(report.errorText.dropFirst(beginning.count))
        }
        if report.errorText.hasPrefix("error:"), let reason = report.errorText.split(separator: ":").last {
            return String(reason)
        }
        return String(cString: curl_easy_strerror(report.code))
    }
}
