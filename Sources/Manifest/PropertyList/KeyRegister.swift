/// The keys that a dict has had so far. Most dicts are entries with a handful of keys, for which looking through them
/// is quicker than a hash table; an album may have a hundred thousand.
struct KeyRegister {
    private static let listLimit = 12

    private var list: [(key: ExactText, position: TextPosition)] = []
    private var table: [ExactText: TextPosition] = [:]

    /// - Returns: where `key` stood before, if the dict has it already; a dict is not read on after that.
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
