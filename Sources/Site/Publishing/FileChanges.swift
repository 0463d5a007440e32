/// The changes of files in a site, added up over the publications of one build.
package struct FileChanges: Hashable, Sendable {
    /// The paths of files that were not there before.
    package private(set) var added: Set<String> = []
    /// The paths of files whose content was replaced.
    package private(set) var changed: Set<String> = []
    package private(set) var removed: Set<String> = []

    package init() {}

    package mutating func add(_ result: PublishResult) {
        for path in result.written {
            if result.replaced.contains(path) {
                if !added.contains(path) { changed.insert(path) }
            } else if removed.remove(path) != nil {
                changed.insert(path)
            } else {
                added.insert(path)
            }
        }
        for path in result.removed where added.remove(path) == nil {
            changed.remove(path)
            removed.insert(path)
        }
    }
}
