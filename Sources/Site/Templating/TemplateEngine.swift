internal import Mustache

/// Renders many pages with the same templates.
///
/// What Mustache makes of a template depends on which values are there, and only where a text is printed on the text
/// itself. So each template is rendered by Mustache once for each pattern of what is there and what is not, and that
/// skeleton is filled with the texts of all pages of the same pattern. This is some twenty times as fast: Mustache
/// finds every name and type anew for every page.
final class TemplateEngine {
    /// What a template asks next. As the answer says how it goes on, the questions of one template form a tree. It is
    /// held flat: a page with a list of thousands asks for so much that a chain of it could not be let go without a
    /// deep stack.
    private struct Step {
        let question: TemplateQuestion
        /// The next question by the outcome of the answer.
        var next: [Int: Next] = [:]
    }

    private enum Next {
        /// The number of the step.
        case question(Int)
        case finished(CompiledTemplate)
    }

    /// Questions kept at once: a site whose every page is of a pattern of its own shall not fill the memory.
    private static let limit = 1 << 17

    private let library: MustacheLibrary
    private var starts: [String: Next] = [:]
    private var steps: [Step] = []

    init(library: MustacheLibrary) { self.library = library }

    /// - Parameter template: A name in `TemplateSet.pages`, and a subject of its kind.
    func render(_ template: String, _ subject: some TemplateContext) -> [UInt8] {
        var answers = Answers(subject)
        if let skeleton = follow(starts[template], &answers) { return skeleton.filled(with: answers.texts) }
        let (skeleton, notes, texts) = RenderTracer.record(template, of: library, for: subject)
        if steps.count + notes.count <= Self.limit { keep(skeleton, template, notes) }
        return skeleton.filled(with: texts)
    }

    private func follow(_ start: Next?, _ answers: inout Answers) -> CompiledTemplate? {
        var next = start
        while case .question(let step) = next {
            let outcome = answers.ask(steps[step].question)
            next = steps[step].next[outcome]
        }
        guard case .finished(let skeleton) = next else { return nil }
        return skeleton
    }

    private func keep(
        _ skeleton: CompiledTemplate, _ template: String, _ notes: [(question: TemplateQuestion, outcome: Int)]
    ) {
        guard let first = notes.first, let last = notes.last else {
            starts[template] = .finished(skeleton)
            return
        }
        var step: Int
        if case .question(let known) = starts[template] {
            step = known
        } else {
            step = add(first.question)
            starts[template] = .question(step)
        }
        for (note, following) in zip(notes, notes.dropFirst()) {
            if case .question(let known) = steps[step].next[note.outcome] {
                step = known
            } else {
                let new = add(following.question)
                steps[step].next[note.outcome] = .question(new)
                step = new
            }
        }
        steps[step].next[last.outcome] = .finished(skeleton)
    }

    private func add(_ question: TemplateQuestion) -> Int {
        steps.append(Step(question: question))
        return steps.count - 1
    }
}

/// The values of a context in the order in which the questions of a template ask for them.
private struct Answers {
    private var subjects: [any TemplateContext]
    /// In the order in which they were asked for.
    private(set) var texts: [TemplateValue] = []

    init(_ subject: any TemplateContext) {
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
