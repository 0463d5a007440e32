/// The limits on what is read from a source, which is untrusted.
package enum ImportLimits {
    /// The size of a source in bytes. The status.json of 100,000 photos has about 90 MB.
    static let sourceSize = 100_000_000
    /// The size of a web page in bytes. The time that libxml2 takes for each attribute of an element grows with their
    /// number.
    static let pageSize = 20_000_000
    package static let photos = 250_000
    /// The number of manifests and collections that are fetched for one IIIF collection, their size in bytes together,
    /// and the number of levels of nested collections.
    package static let collectionDocuments = 1_000
    package static let collectionSize = 500_000_000
    package static let collectionDepth = 8
    /// The depth and the number of JSON values, and the depths of XML and HTML elements.
    static let jsonDepth = 64
    static let jsonValues = 10_000_000
    static let xmlDepth = 256
    static let htmlDepth = 2_000
    static let attributes = 1_000
    /// The lengths of a name, of an album's name, and of any other text, in characters.
    static let nameLength = 200
    static let albumLength = 100
    static let textLength = 4_000
    /// The number of tags of a feed's entry.
    static let tags = 200
    /// The length of an address in bytes. In practice, servers accept no longer ones, and one base is repeated in many
    /// addresses.
    static let addressLength = 8_000
    /// The number of columns of a CSV, and the length of a field in bytes.
    static let columns = 1_000
    static let fieldLength = 1_000_000
    /// The depth of folders within one another.
    static let folderDepth = 30
}
