internal import Mustache

/// A name that a template looked up while it was rendered, with the kind of the result.
struct TemplateQuestion: Hashable {
    /// The context that was asked: 0 is the page's own, the others count up in the order in which they were given.
    let subject: Int
    let name: String
}

/// Renders a template once and takes notes: which values it asked for and where in its output each text stands.
final class RenderTracer {
    /// The questions in their order, none of them twice, and what the rendering depends on of each answer.
    private(set) var notes: [(question: TemplateQuestion, outcome: Int)] = []
    /// The texts to print, in the order in which they were looked up.
    private var texts: [TemplateValue] = []
    private var subjects: [any TemplateContext]
    private var answers: [TemplateQuestion: Any] = [:]

    private init(_ subject: any TemplateContext) { subjects = [subject] }

    /// - Returns: What Mustache makes of the template for this subject, with a gap in place of each text, the notes,
    ///   and the texts.
    static func record(
        _ template: String, of library: MustacheLibrary, for subject: any TemplateContext
    ) -> (skeleton: CompiledTemplate, notes: [(question: TemplateQuestion, outcome: Int)], texts: [TemplateValue]) {
        let recorder = RenderTracer(subject)
        let output = library.render(RecordedSubject(number: 0, recorder: recorder), withTemplate: template) ?? ""
        return (CompiledTemplate(output), recorder.notes, recorder.texts)
    }

    /// - Returns: What Mustache is to go on with; nil if the subject does not know the name.
    fileprivate func answer(_ name: String, of number: Int) -> Any? {
        let question = TemplateQuestion(subject: number, name: name)
        if let known = answers[question] { return known }
        guard let value = subjects[number].value(named: name) else { return nil }
        notes.append((question, value.outcome))
        let answer = represent(value)
        answers[question] = answer
        return answer
    }

    private func represent(_ value: TemplateValue) -> Any {
        switch value {
        case .text, .markup:
            texts.append(value)
            return RecordedText(renderText: value.outcome == 0 ? "" : CompiledTemplate.gap(texts.count - 1))
        case .flag(let flag):
            return flag
        case .object(let object):
            return object.map { add($0) as Any } ?? RecordedText(renderText: "")
        case .list(let elements):
            return elements.map { add($0) }
        }
    }

    private func add(_ subject: any TemplateContext) -> RecordedSubject {
        subjects.append(subject)
        return RecordedSubject(number: subjects.count - 1, recorder: self)
    }
}

extension TemplateValue {
    /// All that a rendering depends on, but for the texts themselves: whether there is any, or how many.
    var outcome: Int {
        switch self {
        case .text(let text): text.isEmpty ? 0 : 1
        case .markup(let markup): markup.isEmpty ? 0 : 1
        case .flag(let flag): flag ? 1 : 0
        case .object(let object): object == nil ? 0 : 1
        case .list(let elements): elements.count
        }
    }
}

/// A subject as Mustache sees it.
private struct RecordedSubject: MustacheParent, MustacheCustomRenderable {
    let number: Int
    /// Unowned, as the recorder keeps its subjects, of which none outlives the rendering that it records.
    unowned let recorder: RenderTracer

    func child(named name: String) -> Any? { recorder.answer(name, of: number) }

    /// The text that `{{.}}` prints, which only texts in a list have.
    var renderText: String {
        (recorder.answer(TemplateText.itself, of: number) as? RecordedText)?.renderText ?? ""
    }
    var isNull: Bool { false }
}

/// A text as Mustache sees it. An absent one is empty and never nil, for which Mustache would go on to look for the
/// same name further out.
private struct RecordedText: MustacheParent, MustacheCustomRenderable {
    let renderText: String

    var isNull: Bool { renderText.isEmpty }
    func child(named: String) -> Any? { nil }
}
