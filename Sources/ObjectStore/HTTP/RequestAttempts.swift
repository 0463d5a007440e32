internal import Foundation

/// Repeats requests that fail for a reason that may pass.
struct RequestAttempts {
    let isCancelled: @Sendable () -> Bool
    /// Whether a request is repeated that another request for the same key has disturbed.
    var retriesConflicts = true

    private static let maxAttempts = 4
    /// The longest time that a server can make a request wait, in seconds.
    private static let maxPause: TimeInterval = 60

    /// - Parameter send: sends the request once.
    /// - Returns: the response to the last attempt, which reports success.
    /// - Throws: `ObjectStoreError.refused` if the response reports no success.
    func run(_ send: () throws(ObjectStoreError) -> HTTPResponse) throws(ObjectStoreError) -> HTTPResponse {
        var pause: TimeInterval = 0.2
        var attempt = 1
        while true {
            let failure: ObjectStoreError
            var wanted: TimeInterval = 0
            do throws(ObjectStoreError) {
                let response = try send()
                if response.isSuccess { return response }
                failure = Self.failure(response)
                wanted = response.headers["retry-after"].flatMap { TimeInterval($0) } ?? 0
            } catch {
                failure = error
            }
            guard failure.isTransient || retriesConflicts && failure.isConflict, attempt < Self.maxAttempts else {
                throw failure
            }
            // The pauses are random, so that the requests are not repeated at the same moment.
            try wait(max(pause * Double.random(in: 0.5...1.5), min(max(0, wanted), Self.maxPause)))
            pause *= 3
            attempt += 1
        }
    }

    /// Waits in small steps, because a cancellation can only be polled.
    private func wait(_ seconds: TimeInterval) throws(ObjectStoreError) {
        let end = ContinuousClock.now + .seconds(seconds)
        while .now < end {
            if isCancelled() { throw .interrupted }
            Thread.sleep(forTimeInterval: min(0.05, seconds))
        }
    }

    /// Stores refuse signatures with a time that is further from theirs, in seconds.
    private static let maxClockError = 900

    private static func failure(_ response: HTTPResponse) -> ObjectStoreError {
        let answer = ResponseElement(response.body)
        // STS puts the error into another element.
        let error = answer?.child("Error") ?? answer
        var message = error?["Message"] ?? ""
        let code = error?["Code"] ?? ""
        if let region = response.headers["x-amz-bucket-region"], [301, 307, 400].contains(response.status) {
            message += (message.isEmpty ? "" : " ") + "The bucket is in the region \(region); set AWS_REGION."
        }
        if [400, 401, 403].contains(response.status), let ahead = response.secondsAhead, abs(ahead) > maxClockError {
            return .clock(secondsAhead: ahead, code: code)
        }
        return .refused(status: response.status, code: code, message: message)
    }
}
