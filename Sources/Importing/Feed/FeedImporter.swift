/// Lists the pictures of a news feed: RSS 0.9 to 2.0, or Atom (RFC 4287), with Media RSS.
struct FeedImporter {
    let base: SourceBase

    /// - Parameter charset: the charset that the server stated. It overrides the XML declaration (RFC 7303 §3.2).
    func list(of feed: [UInt8], charset: String?) throws(ImportError) -> ImportedList {
        let reader = FeedReader(base: base)
        if let charset, !SourceText.hasByteOrderMark(feed), let text = Charset.utf8(of: feed[...], in: charset) {
            try MarkupParser.parseXML(text, isUTF8: true, into: reader)
        } else {
            try MarkupParser.parseXML(feed, into: reader)
        }
        let warning = "\(reader.withoutPicture) of its entries have no picture"
        return ImportedList(photos: reader.photos, warnings: reader.withoutPicture == 0 ? [] : [warning])
    }
}
