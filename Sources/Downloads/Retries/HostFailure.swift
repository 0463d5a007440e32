/// A failure of a host, as a failed attempt shows it.
enum HostFailure: Hashable {
    /// The host could not be resolved or reached, or never answered.
    case unreachable
    /// The host answered with a transient status: 408, 425, 429 or 5xx.
    case rejected

    /// The number of failures in a row after which the host is not contacted again in this build. Rejections have a
    /// higher threshold, because a host that answers is up.
    var circuitBreakerThreshold: Int {
        switch self {
        case .unreachable: 5
        case .rejected: 20
        }
    }

    /// The number of failures in a row from which all requests to the host pause with the failed one. It is more than
    /// 1: if only some requests fail, the others would wait in vain.
    var pauseThreshold: Int {
        switch self {
        case .unreachable: 2
        case .rejected: 5
        }
    }
}
