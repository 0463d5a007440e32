internal import PhotoModel

/// The keys of a dict so far. Most dicts are entries with a handful of keys, for which a linear search is faster than a
/// hash table. An album can have a hundred thousand.
struct SeenKeys {
    private static let listLimit = 12

    private var list: [(key: ExactText, position: TextPosition)] = []
    private var table: [ExactText: TextPosition] = [:]

    /// - Returns: the earlier position of `key` if the dict already has it. Such a dict is not read any further.
    mutating func add(_ key: String, at position: TextPosition) -> TextPosition? {
        let key = ExactText(key)
        if table.isEmpty {
            if let first = list.first(where: { $0.key == key }) { return first.position }
            list.append((key, position))
            if list.count > Self.listLimit {
                for (key, position) in list { table[key] = position }
                list = []
            }
            return nil
        }
        return table.updateValue(position, forKey: key)
    }
}
