internal import PhotoModel

extension Failure {
    /// Whether the failure means that the source is gone and not only out of reach.
    var isOfGoneSource: Bool {
        switch self {
        case .notFound, .dns: true
        default: false
        }
    }
}
