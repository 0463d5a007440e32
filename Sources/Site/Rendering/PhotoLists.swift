/// The lines of consecutive photos in the two files that list all photos: status.json and the search list.
struct PhotoLists: Sendable {
    private(set) var status = StatusLines()
    private(set) var search = SearchList()

    /// Adds the lines of the photo at an index.
    mutating func add(_ photo: SitePhoto, at index: Int) {
        status.add(photo, at: index)
        search.add(photo)
    }

    /// Adds the lines of the photos that follow.
    mutating func append(_ other: PhotoLists) {
        status.append(other.status)
        search.append(other.search)
    }
}
