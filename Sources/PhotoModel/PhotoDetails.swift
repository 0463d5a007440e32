/// The optional details of a photo in a manifest, shown as plain text.
package struct PhotoDetails: Hashable, Codable, Sendable {
    package var caption: String?
    package var alt: String?
    package var credit: String?
    package var license: String?
    /// An absolute http or https URL, which is checked when the manifest is read.
    package var link: String?
    /// The date in UTC as RFC 3339, from the manifest's `<date>`, or the text of a `<string>`.
    package var date: String?
    package var tags: [String]
    /// The rating from 0 to 5.
    package var rating: Double?

    package init(
        caption: String? = nil, alt: String? = nil, credit: String? = nil, license: String? = nil,
        link: String? = nil, date: String? = nil, tags: [String] = [], rating: Double? = nil
    ) {
        self.caption = caption
        self.alt = alt
        self.credit = credit
        self.license = license
        self.link = link
        self.date = date
        self.tags = tags
        self.rating = rating
    }
}
