internal import Site

extension BuildOptions {
    /// Whether the same list gives the same work with other options.
    func worksLike(_ other: BuildOptions) -> Bool {
        manifests == other.manifests && output == other.output && state.path == other.state.path
            && derivatives == other.derivatives && limits == other.limits && client == other.client
            && jobs == other.jobs && memory == other.memory && allowsPrivate == other.allowsPrivate
            && maxAge == other.maxAge && expectedChange == other.expectedChange && versions == other.versions
            && archive == other.archive && allowsEmpty == other.allowsEmpty
    }

    /// The parts of pages that differ from those with other options.
    /// - Parameter sameList: whether the list and all that its pictures depend on are the same.
    func pageChange(since other: BuildOptions, sameList: Bool) -> PreviewChange {
        let files = templates.changes(since: other.templates)
        var change: PreviewChange = []
        if files.styles { change.insert(.styles) }
        if files.scripts { change.insert(.scripts) }
        let hasSamePages =
            !files.pages && sameList && title == other.title && baseURL == other.baseURL
            && language == other.language && perPage == other.perPage && ratings.votes == other.ratings.votes
        if !hasSamePages { change.insert(.pages) }
        return change
    }
}
