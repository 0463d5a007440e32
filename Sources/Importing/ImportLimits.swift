/// Bounds of what is taken from a source, which may come from anybody.
package enum ImportLimits {
    /// Bytes of a source. status.json of 100,000 photos takes about 90 MB.
    static let sourceSize = 100_000_000
    /// Bytes of a web page: libxml2 takes time for each attribute of an element that grows with their number.
    static let pageSize = 20_000_000
    package static let photos = 250_000
    /// Manifests and collections that are fetched for one IIIF collection, their bytes together, and collections
    /// within one another.
    package static let collectionDocuments = 1_000
    package static let collectionSize = 500_000_000
    package static let collectionDepth = 8
    /// JSON values, and elements of XML and HTML within one another.
    static let jsonDepth = 64
    static let jsonValues = 10_000_000
    static let xmlDepth = 256
    static let htmlDepth = 2_000
    static let attributes = 1_000
    /// Characters of a name, of an album's name, and of any other text.
    static let nameLength = 200
    static let albumLength = 100
    static let textLength = 4_000
    /// Tags of an entry of a feed.
    static let tags = 200
    /// Bytes of an address: servers take no more in practice, and one base is repeated in many addresses.
    static let addressLength = 8_000
    /// Columns of a CSV, and characters of one of its fields.
    static let columns = 1_000
    static let fieldLength = 1_000_000
    /// Files of one folder that are looked at, and folders within one another.
    static let folderDepth = 30
}
