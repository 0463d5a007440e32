/// The settings of the whole site.
package struct SiteSettings: Hashable, Codable, Sendable {
    package var title: String
    /// The address of the site: an absolute http or https URL that ends in "/". Only the feed and the social cards need
    /// it, because all other links are relative.
    package var baseURL: String?
    /// The language of the pages' own words, a tag of BCP 47.
    package var language: String
    /// The number of photos on a page of the index; at least 1.
    package var perPage: Int
    /// The name and version of the program: "gallerygen 1.0.0".
    package var generator: String
    /// The filter chain as people read it: "sepia(0.8)", or "none".
    package var filter: String
    /// The http or https URL of the folder of pictures, ending in "/"; nil if they are in the site.
    package var picturesAt: String?
    /// Whether the pages update themselves while the photos are still being processed.
    package var isLive = false

    package init(
        title: String, baseURL: String? = nil, language: String = "en", perPage: Int = 60, generator: String,
        filter: String
    ) {
        self.title = title
        self.baseURL = baseURL
        self.language = language
        self.perPage = perPage
        self.generator = generator
        self.filter = filter
    }
}
