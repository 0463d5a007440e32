internal import PhotoModel

extension Failure {
    /// Whether the same request may well succeed a little later.
    var isTransient: Bool {
        switch self {
        case .dns, .connect, .timeout, .stalled, .interrupted: true
        case .proxy(_, let problem): problem.isTransient
        case .httpStatus(let status): [408, 425, 429].contains(status) || (500..<600).contains(status)
        case .notFound, .forbidden, .tls, .tooManyRedirects, .blockedAddress, .unsupportedScheme, .tooLarge,
            .notAnImage, .unsupportedFormat, .truncated, .corrupt, .damaged, .tooManyPixels, .sideTooLong,
            .tooMuchMemory, .noMemory, .missingFile, .unreadableFile, .fileError, .otherContent,
            .badAddress, .malformedAddress:
            false
        }
    }

    /// Whether the failure can result from a suspension of the process, for which no server waits.
    var mayResultFromSuspension: Bool {
        switch self {
        case .dns, .connect, .tls, .timeout, .stalled, .interrupted: true
        case .proxy(_, let problem): problem != .wantsPassword
        default: false
        }
    }

    /// The failure of the host that this failure shows; nil if it concerns the photo alone.
    ///
    /// - Parameter wasAnswered: whether the host sent anything, even if it was only a part of a header.
    func hostFailure(wasAnswered: Bool) -> HostFailure? {
        switch self {
        case .dns, .connect, .timeout, .stalled, .interrupted: wasAnswered ? nil : .unreachable
        case .proxy(_, let problem): problem.isTransient && !wasAnswered ? .unreachable : nil
        case .httpStatus: isTransient ? .rejected : nil
        default: nil
        }
    }
}

extension ProxyProblem {
    fileprivate var isTransient: Bool {
        switch self {
        case .unknown, .unreachable, .refused, .slow: true
        case .wantsPassword, .tls: false
        }
    }
}
