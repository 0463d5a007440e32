/// The conclusion about a host from a failed attempt.
enum HostFault: Hashable {
    /// The host could not be resolved or reached, or never answered.
    case silence
    /// The host answered with a transient status: 408, 425, 429 or 5xx.
    case refusal

    /// So often in a row it may happen before the host is left alone for the rest of the build, unless it is sending
    /// a photo at that moment; those that ran side by side count as one. Of refusals it takes more, as a host that
    /// answers is there.
    var most: Int {
        switch self {
        case .silence: 5
        case .refusal: 20
        }
    }

    /// From so many in a row on, all that ask the host pause with the one that failed. Not at the first: where a part
    /// of all requests fails, the others would wait for nothing.
    var leastToPause: Int {
        switch self {
        case .silence: 2
        case .refusal: 5
        }
    }
}
