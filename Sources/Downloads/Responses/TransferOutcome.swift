internal import CLibCurl
internal import PhotoModel

/// The meaning of a transfer's end. Only this type combines libcurl's result, the status and the limits of this client.
enum TransferOutcome {
    /// The server says that the cached original is still current.
    case unchanged(CachedOriginal)
    /// A whole body arrived (200), or all of the missing rest (206).
    case arrived(CacheMetadata)
    /// The content is refused.
    case refused(RefusedContent)
    /// A redirect leads to another address.
    case redirect(to: RemoteAddress)
    case failed(Failure)
    /// The kept part of an earlier attempt is useless. The whole original must be requested at once.
    case startOver
    /// The server says that the refused content has not changed, but names another version. It must be requested again,
    /// at once, without conditions.
    case otherVersion
    /// The body has a coding that does not exist. It must be requested again, at once, to be stored without decoding.
    case retryWithoutDecoding
    /// The body has to wait until another download ends.
    case needsDownload
    case broken(DownloadsError)

    /// - Parameter now: the current time in seconds since 1970.
    init(_ transfer: Transfer, _ report: TransferReport, now: Int64) {
        let limits = transfer.limits
        if transfer.headers.status == 416, transfer.partial != nil {
            self = .startOver
            return
        }
        // A redirect is complete with its header, however its body ends.
        if transfer.headers.isComplete, let location = transfer.headers.redirectLocation {
            self = Self.redirect(to: location, of: transfer.request, limits: limits)
            return
        }
        // An error status is final, even if the page sent with it breaks off or never ends.
        if transfer.headers.status >= 400 {
            let proxy = transfer.headers.status == 407 ? transfer.proxies.proxy(for: transfer.request.target) : nil
            self = .failed(
                proxy.map { .proxy(host: $0.host, .wantsPassword) } ?? Self.refusal(transfer.headers.status))
        } else if let failure = transfer.contentRefusal {
            // The first bytes have already decided that the content is refused.
            self = Self.refused(failure, transfer, now: now)
        } else if let reason = transfer.abortReason {
            self = Self.outcome(of: reason, status: transfer.headers.status, limits: limits)
        } else if report.code == CURLE_COULDNT_CONNECT, let refusal = transfer.addressRefusal {
            self = .failed(refusal)
        } else if report.code == CURLE_BAD_CONTENT_ENCODING, transfer.headers.namesUnknownCoding,
            !transfer.request.skipsContentDecoding
        {
            self = .retryWithoutDecoding
        } else if report.code != CURLE_OK {
            let failure = TransferFailure(
                report, address: transfer.request.target, limits: limits, proxies: transfer.proxies)
            self = .failed(failure.failure)
        } else {
            self = Self.outcome(of: transfer, now: now)
        }
    }

    private static func redirect(
        to location: String, of request: TransferRequest, limits: TransferLimits
    ) -> TransferOutcome {
        guard (request.redirects?.count ?? 0) < max(0, limits.maxRedirects) else {
            return .failed(.tooManyRedirects(limit: limits.maxRedirects))
        }
        do throws(Failure) {
            return .redirect(to: try RemoteAddress(redirectedTo: location, from: request.target))
        } catch {
            return .failed(error)
        }
    }

    private static func refusal(_ status: Int) -> Failure {
        switch status {
        case 404, 410: .notFound(status: status)
        case 401, 403: .forbidden(status: status)
        default: .httpStatus(status)
        }
    }

    private static func outcome(of reason: Transfer.AbortReason, status: Int, limits: TransferLimits) -> TransferOutcome
    {
        switch reason {
        case .tooLarge: .failed(.tooLarge(limit: limits.maxBytes))
        case .endlessHeader: .failed(.interrupted)
        case .unwantedBody: .failed(refusal(status))
        case .stalled: .failed(.stalled(seconds: limits.stallTimeout.inSeconds))
        case .timedOut: .failed(.timeout(seconds: limits.timeout.inSeconds))
        case .wrongPart: .startOver
        case .blocked(let failure): .failed(failure)
        case .store(let error): .broken(error)
        case .needsDownload: .needsDownload
        }
    }

    private static func outcome(of transfer: Transfer, now: Int64) -> TransferOutcome {
        let (headers, responder) = (transfer.headers, transfer.request.responder)
        // libcurl reports success if a connection is closed within the header.
        guard headers.isComplete, !headers.hasConflictingLengths else { return .failed(.interrupted) }
        switch (headers.status, transfer.revalidated) {
        case _ where headers.hasWholeContent:
            guard transfer.isComplete else { return .failed(.interrupted) }
            return arrived(transfer, CacheMetadata(headers, from: responder, receivedAt: now), now: now)
        case (206, _) where transfer.writer == nil && transfer.partial != nil:
            return .startOver
        case (206, _) where transfer.partial != nil:
            guard transfer.isComplete, let partial = transfer.partial else { return .failed(.interrupted) }
            let metadata = partial.metadata.refreshed(by: CacheMetadata(headers, from: responder, receivedAt: now))
            return arrived(transfer, metadata, now: now)
        case (304, let known?):
            let newer = CacheMetadata(headers, from: responder, receivedAt: now, after: known.metadata.freshness)
            return .unchanged(
                CachedOriginal(
                    original: known.original, metadata: known.metadata.confirmed(by: newer),
                    location: transfer.request.location, moved: transfer.request.moved))
        default:
            if headers.status == 304, var refused = transfer.request.revalidatedRefusal {
                let newer = CacheMetadata(headers, from: responder, receivedAt: now, after: refused.metadata.freshness)
                guard refused.metadata.isConfirmed(by: newer) else { return .otherVersion }
                refused.metadata = refused.metadata.refreshed(by: newer)
                refused.moved = transfer.request.moved
                return .refused(refused)
            }
            // A 206 or 304 that the request did not ask for is a failure too.
            return .failed(refusal(headers.status))
        }
    }

    private static func arrived(_ transfer: Transfer, _ metadata: CacheMetadata, now: Int64) -> TransferOutcome {
        transfer.inspectEnd()
        return transfer.contentRefusal.map { refused($0, transfer, now: now) } ?? .arrived(metadata)
    }

    private static func refused(_ failure: Failure, _ transfer: Transfer, now: Int64) -> TransferOutcome {
        var metadata = CacheMetadata(transfer.headers, from: transfer.request.responder, receivedAt: now)
        if transfer.headers.status == 206, let partial = transfer.partial {
            metadata = partial.metadata.refreshed(by: metadata)
        }
        let edition = transfer.request.options.contentCheck?.edition ?? 0
        return .refused(
            RefusedContent(failure: failure, edition: edition, metadata: metadata, moved: transfer.request.moved))
    }
}
