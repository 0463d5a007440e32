/// Lists the pictures of a news feed: RSS 0.9 to 2.0, Atom (RFC 4287), with Media RSS.
struct FeedImporter {
    let base: SourceBase

    func list(of feed: [UInt8]) throws(ImportError) -> ImportedList {
        let reader = FeedReader(base: base)
        try MarkupParser.parseXML(feed, into: reader)
        let warning = "\(reader.withoutPicture) of its entries have no picture"
        return ImportedList(photos: reader.photos, warnings: reader.withoutPicture == 0 ? [] : [warning])
    }
}
