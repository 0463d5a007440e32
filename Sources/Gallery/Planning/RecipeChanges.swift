internal import Ledger
internal import PhotoModel

/// The differences between recipes, computed once for all photos.
final class RecipeChanges {
    private struct Pair: Hashable {
        let old: String
        let new: PhotoRecipe
    }

    private var known: [Pair: [PhotoPlan.RenderReason]] = [:]

    func from(_ old: String, to new: PhotoRecipe) -> [PhotoPlan.RenderReason] {
        let pair = Pair(old: old, new: new)
        if let changes = known[pair] { return changes }
        let changes = new.changes(since: old)
        known[pair] = changes
        return changes
    }

    private struct Rendering: Hashable {
        let original: Digest
        let recipe: String
    }

    private var rendered: Set<Rendering>?

    /// Whether any photo in the ledger shows an original by the recipe.
    func isRendered(_ original: Digest, _ recipe: PhotoRecipe, _ snapshot: LedgerSnapshot) -> Bool {
        let rendered =
            self.rendered
            ?? Set(
                snapshot.photos.values.compactMap { photo in
                    guard let sha256 = photo.sha256, let recipe = photo.recipe else { return nil }
                    return Rendering(original: sha256, recipe: recipe)
                })
        self.rendered = rendered
        return rendered.contains(Rendering(original: original, recipe: recipe.text))
    }
}
