/// The links between the pages of a list: to the pages near this one, the first and the last.
final class PagerView: TemplateContext {
    /// The number of this page, counted from 1.
    let number: Int
    /// The number of pages; at least 1.
    let count: Int
    /// Returns the link to a page, which is counted from 1.
    let address: @Sendable (Int) -> String

    init(number: Int, count: Int, address: @escaping @Sendable (Int) -> String) {
        self.number = number
        self.count = count
        self.address = address
    }

    private static let neighbourCount = 2

    /// The numbers of the linked pages. Pages that are not near this one are left out, apart from the first and the
    /// last.
    var numbers: [Int] {
        let near = max(1, number - Self.neighbourCount)...min(count, number + Self.neighbourCount)
        return (near.contains(1) ? [] : [1]) + near + (near.contains(count) ? [] : [count])
    }

    private var steps: [PageStep] {
        var steps: [PageStep] = []
        for target in numbers {
            if let last = steps.last, target > last.number + 1 {
                steps.append(PageStep(number: target, href: address(target), isGap: true))
            }
            steps.append(PageStep(number: target, href: address(target), isCurrent: target == number))
        }
        return steps
    }

    private func link(_ target: Int) -> LinkView? {
        (1...count).contains(target) ? LinkView(href: address(target), name: String(target)) : nil
    }

    static let vocabulary = TemplateSchema<PagerView>([
        "number": .number { $0.number },
        "pageCount": .number { $0.count },
        "steps": .list { $0.steps },
        "previous": .object { $0.link($0.number - 1) },
        "next": .object { $0.link($0.number + 1) },
    ])
}

/// An element of the pager: a page, or the gap between two pages.
final class PageStep: TemplateContext {
    let number: Int
    let href: String
    let isCurrent: Bool
    let isGap: Bool

    init(number: Int, href: String, isCurrent: Bool = false, isGap: Bool = false) {
        self.number = number
        self.href = href
        self.isCurrent = isCurrent
        self.isGap = isGap
    }

    static let vocabulary = TemplateSchema<PageStep>([
        "number": .number { $0.number },
        "href": .text { $0.href },
        "isCurrent": .flag { $0.isCurrent },
        "isGap": .flag { $0.isGap },
    ])
}
