/// What a failed attempt says about the host.
enum HostFailure: Hashable {
    /// The host could not be resolved or reached, or never answered.
    case unreachable
    /// The host answered with a transient status: 408, 425, 429 or 5xx.
    case rejected

    /// So often in a row it may happen before nothing more is asked of the host in this build. Of rejections it takes
    /// more, as a host that answers is there.
    var circuitBreaker: Int {
        switch self {
        case .unreachable: 5
        case .rejected: 20
        }
    }

    /// From so many in a row on, all that ask the host pause with the one that failed. Not at the first: where a part
    /// of all requests fails, the others would wait for nothing.
    var leastToPause: Int {
        switch self {
        case .unreachable: 2
        case .rejected: 5
        }
    }
}
