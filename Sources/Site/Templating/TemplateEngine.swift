internal import Mustache

/// Renders many pages with the same templates.
///
/// What Mustache makes of a template depends on which values are there, and only where a text is printed on the text
/// itself. So each template is rendered by Mustache once for each pattern of what is there and what is not, and that
/// skeleton is filled with the texts of all pages of the same pattern. This is some twenty times as fast: Mustache
/// finds every name and type anew for every page.
final class TemplateEngine {
    /// What a template asks next. As the answer says how it goes on, the questions of one template form a tree.
    private final class Step {
        enum Next {
            case question(Step)
            case finished(Skeleton)
        }

        let question: TemplateQuestion
        /// By the outcome of the answer.
        var next: [Int: Next] = [:]

        init(_ question: TemplateQuestion) { self.question = question }
    }

    /// Patterns kept at once: a site whose every page is of a pattern of its own shall not fill the memory.
    private static let limit = 4_096

    private let library: MustacheLibrary
    private var starts: [String: Step.Next] = [:]
    private var kept = 0

    init(library: MustacheLibrary) { self.library = library }

    /// - Parameter template: A name in `TemplateSet.pages`, and a subject of its kind.
    func render(_ template: String, _ subject: some TemplateSubject) -> [UInt8] {
        var answers = Answers(subject)
        if let skeleton = follow(starts[template], &answers) { return skeleton.filled(with: answers.texts) }
        let (skeleton, notes) = TemplateRecorder.record(template, of: library, for: subject)
        answers = Answers(subject)
        for note in notes { _ = answers.ask(note.question) }
        if kept < Self.limit { keep(skeleton, template, notes) }
        return skeleton.filled(with: answers.texts)
    }

    private func follow(_ start: Step.Next?, _ answers: inout Answers) -> Skeleton? {
        var next = start
        while case .question(let step) = next { next = step.next[answers.ask(step.question)] }
        guard case .finished(let skeleton) = next else { return nil }
        return skeleton
    }

    private func keep(
        _ skeleton: Skeleton, _ template: String, _ notes: [(question: TemplateQuestion, outcome: Int)]
    ) {
        kept += 1
        guard let first = notes.first else {
            starts[template] = .finished(skeleton)
            return
        }
        var step: Step
        if case .question(let known) = starts[template] {
            step = known
        } else {
            step = Step(first.question)
            starts[template] = .question(step)
        }
        for (note, following) in zip(notes, notes.dropFirst()) {
            if case .question(let known) = step.next[note.outcome] {
                step = known
            } else {
                let new = Step(following.question)
                step.next[note.outcome] = .question(new)
                step = new
            }
        }
        if let last = notes.last { step.next[last.outcome] = .finished(skeleton) }
    }
}

/// What was found of a subject, as the questions of a template went through it.
private struct Answers {
    private var subjects: [any TemplateSubject]
    /// In the order in which they were asked for.
    private(set) var texts: [TemplateValue] = []

    init(_ subject: any TemplateSubject) {
        subjects = [subject]
        texts.reserveCapacity(64)
    }

    /// - Returns: The outcome.
    mutating func ask(_ question: TemplateQuestion) -> Int {
        guard let value = subjects[question.subject].value(named: question.name) else { return 0 }
        switch value {
        case .text, .markup: texts.append(value)
        case .flag, .object(nil): break
        case .object(let subject?): subjects.append(subject)
        case .list(let elements): subjects.append(contentsOf: elements)
        }
        return value.outcome
    }
}
