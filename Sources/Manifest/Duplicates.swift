/// Finds the elements that occur more than once in a list.
enum Duplicates {
    /// The indices of all elements that have an equal elsewhere in the list, in ascending order.
    static func indices<Element: Hashable>(in list: [Element]) -> [Int] {
        var latest: [Element: Int] = [:]
        latest.reserveCapacity(list.count)
        var isRepeated = Array(repeating: false, count: list.count)
        for (index, element) in list.enumerated() {
            guard let earlier = latest.updateValue(index, forKey: element) else { continue }
            isRepeated[earlier] = true
            isRepeated[index] = true
        }
        return list.indices.filter { isRepeated[$0] }
    }
}
