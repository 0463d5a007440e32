/// What a failed try says of the host, beside what it says of the photo.
enum HostFault: Hashable {
    /// It could not be found or reached, or never said a word.
    case silence
    /// It answered, with a status that may pass: 408, 425, 429, 5xx.
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
