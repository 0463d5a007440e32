internal import Downloads
internal import Ledger
internal import PhotoModel
internal import Synchronization

/// A question about a photo's address that goes out while the plan is still being made, as it is asked in any case.
package final class Inquiry: Sendable {
    private enum Course {
        case open
        case answered(FetchOutcome)
        case awaited(@Sendable (FetchOutcome) -> Void)
    }

    let question: Question
    private let course = Mutex(Course.open)

    /// Enough to keep the transfers busy until the plan is made.
    static let most = 2_048

    private init(_ question: Question, about source: Source, of downloader: Downloader) {
        self.question = question
        // Whoever cancels the build ends all that the downloader has under way: no ticket is needed.
        _ = downloader.fetch(source, known: question.known, refused: question.refused, wait: question.wait) { [self] in
            answer($0)
        }
    }

    /// Asks about those of the first photos that are asked about whatever stands on the disk.
    /// - Returns: parallel to the records.
    static func begin(_ records: [PhotoRecord], judge: PhotoJudge, downloader: Downloader) -> [Inquiry?] {
        var inquiries = [Inquiry?](repeating: nil, count: records.count)
        for (place, isAsked) in PhotoVerdict.askedEarly(records.prefix(most).lazy.map(judge.verdict)).enumerated() {
            let record = records[place]
            guard isAsked, let source = record.source, source.isRemote else { continue }
            let row = record.sourceKey.flatMap { judge.snapshot.sources[$0] }
            inquiries[place] = Inquiry(
                Question(record, row: row, isForced: judge.isForced), about: source, of: downloader)
        }
        return inquiries
    }

    /// - Parameter action: called once, now or when the answer comes.
    func whenAnswered(_ action: @escaping @Sendable (FetchOutcome) -> Void) {
        let outcome = course.withLock { course -> FetchOutcome? in
            if case .answered(let outcome) = course { return outcome }
            course = .awaited(action)
            return nil
        }
        if let outcome { action(outcome) }
    }

    private func answer(_ outcome: FetchOutcome) {
        let action = course.withLock { course -> (@Sendable (FetchOutcome) -> Void)? in
            if case .awaited(let action) = course { return action }
            course = .answered(outcome)
            return nil
        }
        action?(outcome)
    }
}
