/// The photos of a site in their order. They are either stored, or computed from smaller data at each access, so that a
/// large site is never in memory as a whole. A change stores all photos from then on.
package struct SitePhotos: RandomAccessCollection, MutableCollection, RangeReplaceableCollection, Sendable {
    /// How the photos are stored.
    private enum Storage: Sendable {
        case array([SitePhoto])
        case generated(count: Int, make: @Sendable (Int) -> SitePhoto)
    }

    private var storage: Storage

    package init() { storage = .array([]) }

    package init(_ photos: [SitePhoto]) { storage = .array(photos) }

    /// - Parameter make: returns the photo at an index, always the same one. Several threads can call it at once.
    package init(count: Int, make: @escaping @Sendable (Int) -> SitePhoto) {
        storage = .generated(count: count, make: make)
    }

    package var startIndex: Int { 0 }

    package var endIndex: Int {
        switch storage {
        case .array(let photos): photos.count
        case .generated(let count, _): count
        }
    }

    package subscript(index: Int) -> SitePhoto {
        get {
            switch storage {
            case .array(let photos): photos[index]
            case .generated(_, let make): make(index)
            }
        }
        set { replaceSubrange(index..<index + 1, with: CollectionOfOne(newValue)) }
    }

    package mutating func replaceSubrange(
        _ range: Range<Int>, with photos: some Collection<SitePhoto>
    ) {
        var array = Array(self)
        array.replaceSubrange(range, with: photos)
        storage = .array(array)
    }
}

extension SitePhotos: ExpressibleByArrayLiteral {
    package init(arrayLiteral photos: SitePhoto...) { self.init(photos) }
}
