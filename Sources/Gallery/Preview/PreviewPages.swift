internal import Ledger
internal import PhotoModel
internal import Site
internal import Synchronization

/// Renders the files of a preview when they are asked for, from the newest state of its photos.
final class PreviewPages: Sendable {
    private let token: String
    private let state: Mutex<State>

    private struct State {
        var gallery: PreviewGallery
        /// The options of the pages. Unlike those of the gallery, they can change without new records.
        var options: BuildOptions
        /// The number of changes until now, apart from those of photos.
        var revision = 1
        /// The number of changes of photos until now, and for each photo that has changed since the last change of the
        /// pages, this number after its last change, by its index.
        var changes = (count: 0, last: [Int: Int]())
        /// The renderer of the current state; nil after a change.
        var renderer: SiteRenderer?
        /// The renderers of earlier states from which pages or the index were rendered, the latest last.
        var earlier: [SiteRenderer] = []

        /// The number of earlier states that are kept.
        private static let limit = 8

        /// Ends the current state, and keeps its renderer if it was used.
        mutating func keep() {
            guard let renderer else { return }
            earlier = earlier.suffix(Self.limit - 1) + [renderer]
            self.renderer = nil
        }
    }

    /// - Parameter token: the token that stands in the pages.
    init(_ gallery: PreviewGallery, token: String) {
        self.token = token
        state = Mutex(State(gallery: gallery, options: gallery.options))
    }

    var revision: Int { state.withLock { $0.revision } }

    /// - Parameter isChange: whether open pages differ from now on.
    func show(_ gallery: PreviewGallery, _ options: BuildOptions, isChange: Bool) {
        state.withLock { state in
            state.keep()
            (state.gallery, state.options) = (gallery, options)
            guard isChange else { return }
            state.revision += 1
            // Indices mean other photos now, and each page that was rendered before is loaded again.
            state.changes.last = [:]
        }
    }

    /// Notes that a photo has changed.
    func changed(_ index: Int) {
        state.withLock { state in
            state.keep()
            state.changes.count += 1
            state.changes.last[index] = state.changes.count
        }
    }

    /// The largest number of photos that are sent to a page that has connected.
    private static let updateLimit = 100

    /// The cards and records of the photos that have changed since a page was rendered.
    /// - Parameter count: the number of changes of photos that the page has.
    /// - Returns: nil if there are so many that it takes less time to load the page again.
    func updates(since count: Int) -> [PhotoUpdate]? {
        let indices = state.withLock { $0.changes.last.filter { $0.value > count }.keys.sorted() }
        return indices.count > Self.updateLimit ? nil : indices.map { update($0) }
    }

    /// The card and the record of a photo.
    func update(_ index: Int) -> PhotoUpdate {
        let (gallery, options) = state.withLock { ($0.gallery, $0.options) }
        return PhotoUpdate(gallery.photo(index, options), templates: options.templates)
    }

    /// The file at a path. Files in assets/ are named by their content, and open pages request those of an earlier
    /// state: while photos arrive, the index of the records is outdated as soon as it was sent.
    /// - Throws: `SiteError` if the list has a photo that no file can be named after.
    func file(at path: String) throws(SiteError) -> SiteFile? {
        if let file = try renderer().file(at: path) { return file }
        guard path.hasPrefix("assets/") else { return nil }
        return state.withLock { $0.earlier }.reversed().lazy.compactMap { $0.file(at: path) }.first
    }

    /// The link to the photos that need attention, as HTML; empty if there are none, and nil if no page was shown yet.
    func attention() -> String? {
        let (gallery, options, renderer) = state.withLock { ($0.gallery, $0.options, $0.renderer ?? $0.earlier.last) }
        return renderer?.attention(SiteSummary(gallery.content(options)))
    }

    func picture(_ name: String) -> String? { state.withLock { $0.gallery }.picture(name) }

    /// The lock is held while the outline of the site is made, so that several requests after a change share it.
    private func renderer() throws(SiteError) -> SiteRenderer {
        try state.withLock { state throws(SiteError) in
            if let renderer = state.renderer { return renderer }
            let renderer = try SiteRenderer(
                content: state.gallery.content(state.options), templates: state.options.templates,
                preview: PreviewMark(token: token, revision: state.revision, photos: state.changes.count))
            state.renderer = renderer
            return renderer
        }
    }
}
