/// The tags of one template file, each with those inside it.
struct TemplateTree {
    struct Node {
        let tag: TemplateTag
        var children: [Node] = []
    }

    /// The file's name: "card.mustache".
    let file: String
    private(set) var nodes: [Node] = []

    /// - Parameter tags: Of a template that Mustache has parsed: every section is closed.
    init(file: String, tags: [TemplateTag]) {
        self.file = file
        var rest = tags[...]
        nodes = Self.nodes(of: &rest)
    }

    private static func nodes(of tags: inout ArraySlice<TemplateTag>) -> [Node] {
        var nodes: [Node] = []
        while let tag = tags.popFirst(), tag.kind != .close {
            switch tag.kind {
            case .section, .inverted, .parent, .block:
                nodes.append(Node(tag: tag, children: Self.nodes(of: &tags)))
            default:
                nodes.append(Node(tag: tag))
            }
        }
        return nodes
    }
}
