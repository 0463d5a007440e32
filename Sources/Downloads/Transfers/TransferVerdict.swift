internal import CLibCurl
internal import PhotoModel

/// What the end of a transfer means. The one place where libcurl's result, the status and our own limits become one.
enum TransferVerdict {
    /// The server says that what we have is still good.
    case unchanged(KnownOriginal)
    /// A whole body came (200), or all that was missing of one (206).
    case arrived(Validators)
    /// What came, or would come, is not taken.
    case refused(RefusedContent)
    case failed(Failure)
    /// What was kept of an earlier try is of no use: all is to be asked for, at once.
    case startOver
    /// The body is in a coding that there is not. It is to be asked for again, at once, to be taken as it comes.
    case takeAsItComes
    case broken(DownloadsError)

    /// - Parameter now: seconds since 1970.
    init(_ transfer: Transfer, _ report: TransferReport, limits: TransferLimits, now: Int64) {
        if transfer.headers.status == 416, transfer.partial != nil {
            self = .startOver
            return
        }
        // A server that refuses has said all that matters, even if the page it sends along breaks off or never ends.
        if transfer.headers.status >= 400 {
            let proxy = transfer.headers.status == 407 ? transfer.proxies.proxy(asking: report.lastURL) : nil
            self = .failed(
                proxy.map { .proxy(host: $0.host, .wantsPassword) } ?? Self.refusal(transfer.headers.status))
        } else if let failure = transfer.refusal {
            // Of content that is not taken, the first bytes have said all that matters.
            self = Self.refused(failure, transfer, now: now)
        } else if let cut = transfer.cut {
            self = Self.verdict(of: cut, status: transfer.headers.status, limits: limits)
        } else if report.code == CURLE_COULDNT_CONNECT, let host = transfer.refusedHost {
            self = .failed(.blockedAddress(host: host))
        } else if report.code == CURLE_UNSUPPORTED_PROTOCOL, transfer.headers.isRedirect,
            let scheme = transfer.headers.redirectScheme
        {
            // libcurl goes to some of the addresses that it cannot ask, and stays where it is for others.
            self = .failed(.unsupportedScheme(scheme))
        } else if report.code == CURLE_BAD_CONTENT_ENCODING, transfer.headers.namesNoCoding,
            !transfer.request.takesBodyAsItComes
        {
            self = .takeAsItComes
        } else if report.code != CURLE_OK {
            self =
                TransferFailure(report, address: transfer.request.address, limits: limits, proxies: transfer.proxies)
                .verdict
        } else {
            self = Self.verdict(of: transfer, now: now)
        }
    }

    private static func refusal(_ status: Int) -> Failure {
        switch status {
        case 404, 410: .notFound(status: status)
        case 401, 403: .forbidden(status: status)
        default: .httpStatus(status)
        }
    }

    private static func verdict(of cut: Transfer.Cut, status: Int, limits: TransferLimits) -> TransferVerdict {
        switch cut {
        case .tooLarge: .failed(.tooLarge(limit: limits.maxBytes))
        case .endlessHeader: .failed(.interrupted)
        case .unwantedBody: .failed(refusal(status))
        case .stalled: .failed(.stalled(seconds: limits.stallTimeout.inSeconds))
        case .timedOut: .failed(.timeout(seconds: limits.timeout.inSeconds))
        case .wrongPart: .startOver
        case .blocked(let host): .failed(.blockedAddress(host: host))
        case .namesUser: .failed(.badAddress(Failure.namesUser))
        case .store(let error): .broken(error)
        }
    }

    private static func verdict(of transfer: Transfer, now: Int64) -> TransferVerdict {
        let headers = transfer.headers
        // libcurl is content with a connection that ends within the header.
        guard headers.isComplete, !headers.claimsTwoLengths else { return .failed(.interrupted) }
        let validators = Validators(headers, receivedAt: now)
        switch (headers.status, transfer.asked) {
        case _ where headers.isWhole:
            return transfer.isWhole ? arrived(transfer, validators, now: now) : .failed(.interrupted)
        case (206, _) where transfer.writer == nil && transfer.partial != nil:
            return .startOver
        case (206, _) where transfer.partial != nil:
            guard transfer.isWhole, let partial = transfer.partial else { return .failed(.interrupted) }
            return arrived(transfer, partial.validators.refreshed(by: validators), now: now)
        case (304, let asked?):
            let newer = Validators(headers, receivedAt: now, after: asked.validators.freshness)
            return .unchanged(
                KnownOriginal(original: asked.original, validators: asked.validators.confirmed(by: newer)))
        default:
            if headers.status == 304, var refused = transfer.request.refused {
                let newer = Validators(headers, receivedAt: now, after: refused.validators.freshness)
                refused.validators = refused.validators.confirmed(by: newer)
                return .refused(refused)
            }
            // Also a part (206) or a 304 that nobody asked for.
            return .failed(refusal(headers.status))
        }
    }

    private static func arrived(_ transfer: Transfer, _ validators: Validators, now: Int64) -> TransferVerdict {
        transfer.inspectEnd()
        return transfer.refusal.map { refused($0, transfer, now: now) } ?? .arrived(validators)
    }

    private static func refused(_ failure: Failure, _ transfer: Transfer, now: Int64) -> TransferVerdict {
        var validators = Validators(transfer.headers, receivedAt: now)
        if transfer.headers.status == 206, let partial = transfer.partial {
            validators = partial.validators.refreshed(by: validators)
        }
        let edition = transfer.request.terms.contentCheck?.edition ?? 0
        return .refused(RefusedContent(failure: failure, edition: edition, validators: validators))
    }
}
