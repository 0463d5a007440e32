internal import PhotoModel

extension Failure {
    /// Whether the server says that the source is gone. A host that is unknown is no such answer: it can be one of a
    /// private network that is out of reach.
    var isOfGoneSource: Bool {
        switch self {
        case .notFound: true
        default: false
        }
    }
}
