/// What a failed attempt says about the host.
enum HostFailure: Hashable {
    /// The host could not be resolved or reached, or never answered.
    case unreachable
    /// The host answered with a transient status: 408, 425, 429 or 5xx.
    case rejected

    /// The number of failures in a row after which the host is not contacted again in this build. Rejections may be
    /// more, because a host that answers is up.
    var circuitBreakerThreshold: Int {
        switch self {
        case .unreachable: 5
        case .rejected: 20
        }
    }

    /// The number of failures in a row from which all requests to the host pause with the one that failed. It is more
    /// than one, because where only some requests fail, the others would wait for nothing.
    var pauseThreshold: Int {
        switch self {
        case .unreachable: 2
        case .rejected: 5
        }
    }
}
