/// A queue: first in, first out, in constant time on average.
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }

    var count: Int { elements.count - head }

    /// Lets the first and the one at an offset from it, if there is one, exchange what `part` leads to.
    mutating func exchangeFirst<Part>(withOneAt offset: Int, _ part: WritableKeyPath<Element, Part>) {
        guard (1..<max(1, count)).contains(offset), var first = elements[head], var other = elements[head + offset]
        else { return }
        swap(&first[keyPath: part], &other[keyPath: part])
        elements[head] = first
        elements[head + offset] = other
    }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head].take()
        head += 1
        // Half of the storage is spent: moving the other half costs no more than what was popped.
        if head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
