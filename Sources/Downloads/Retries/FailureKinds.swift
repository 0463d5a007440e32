internal import PhotoModel

extension Failure {
    /// True if the same request may well succeed a little later.
    var mayPass: Bool {
        switch self {
        case .dns, .connect, .timeout, .stalled, .interrupted: true
        case .proxy(_, let problem): problem.mayPass
        case .httpStatus(let status): [408, 425, 429].contains(status) || (500..<600).contains(status)
        default: false
        }
    }

    /// True if it may come of a process that was stopped meanwhile, as a server waits for nobody.
    var mayComeOfStandstill: Bool {
        switch self {
        case .dns, .connect, .tls, .timeout, .stalled, .interrupted: true
        case .proxy(_, let problem): problem != .wantsPassword
        default: false
        }
    }

    /// True if it is the host, and not the photo, that could not be had.
    var isOfHost: Bool {
        switch self {
        case .dns, .connect, .timeout: true
        case .proxy(_, let problem): problem.mayPass
        default: false
        }
    }
}

extension ProxyProblem {
    fileprivate var mayPass: Bool {
        switch self {
        case .unknown, .unreachable, .refused, .slow: true
        case .wantsPassword, .tls: false
        }
    }
}
