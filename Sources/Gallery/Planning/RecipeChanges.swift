/// What differs between recipes: found once for all photos that have the same two, and held once.
final class RecipeChanges {
    private struct Pair: Hashable {
        let old: String
        let new: PhotoRecipe
    }

    private var known: [Pair: [PhotoVerdict.Making]] = [:]

    func from(_ old: String, to new: PhotoRecipe) -> [PhotoVerdict.Making] {
        let pair = Pair(old: old, new: new)
        if let changes = known[pair] { return changes }
        let changes = new.changes(since: old)
        known[pair] = changes
        return changes
    }
}
