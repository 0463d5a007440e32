/// Values in ascending order, some thousand at most, no two of them equal. One that goes moves those on the shorter side of it,
/// and so does one that comes in, where there is room: next to none, however many wait, where they come and go in about their
/// order, and a quarter of them where they do so in any.
struct SortedQueue<Value: Comparable> {
    /// Those before the head have gone.
    private var slots: [Value] = []
    private var head = 0

    var count: Int { slots.count - head }

    var first: Value? { slots.count > head ? slots[head] : nil }

    mutating func insert(_ value: Value) {
        let index = place(of: value)
        guard index - head < count / 2, head > 0 else { return slots.insert(value, at: index) }
        for moved in head..<index { slots[moved - 1] = slots[moved] }
        slots[index - 1] = value
        head -= 1
    }

    /// - Parameter value: one that is there.
    mutating func remove(_ value: Value) {
        let index = place(of: value)
        guard index - head < count / 2 else {
            slots.remove(at: index)
            return
        }
        for moved in (head..<index).reversed() { slots[moved + 1] = slots[moved] }
        head += 1
        guard head > slots.count / 2 else { return }
        slots.removeFirst(head)
        head = 0
    }

    /// The index of the first that is not before the value.
    private func place(of value: Value) -> Int {
        var (low, high) = (head, slots.count)
        while low < high {
            let middle = (low + high) / 2
            if slots[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
