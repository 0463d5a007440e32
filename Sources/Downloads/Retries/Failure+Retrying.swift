internal import PhotoModel

extension Failure {
    /// True if the same request may well succeed a little later.
    var isTransient: Bool {
        switch self {
        case .dns, .connect, .timeout, .stalled, .interrupted: true
        case .proxy(_, let problem): problem.isTransient
        case .httpStatus(let status): [408, 425, 429].contains(status) || (500..<600).contains(status)
        case .notFound, .forbidden, .tls, .tooManyRedirects, .blockedAddress, .unsupportedScheme, .tooLarge,
            .notAnImage, .unsupportedFormat, .truncated, .corrupt, .damaged, .tooManyPixels, .sideTooLong,
            .tooMuchMemory, .noMemory, .missingFile, .unreadableFile, .fileError, .badAddress, .malformedAddress:
            false
        }
    }

    /// True if it may come of a process that was stopped meanwhile, as a server waits for nobody.
    var mayResultFromSuspension: Bool {
        switch self {
        case .dns, .connect, .tls, .timeout, .stalled, .interrupted: true
        case .proxy(_, let problem): problem != .wantsPassword
        default: false
        }
    }

    /// The conclusion about the host from the failure.
    ///
    /// - Parameter wasAnswered: the host said something, be it as little as a part of a header.
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
