/// The changes that a publisher has made to the site.
package struct PublishResult: Hashable, Sendable {
    /// The paths of the written files, in the order in which they were put in place.
    package let written: [String]
    /// The paths of those written files that replaced others.
    package let replaced: Set<String>
    /// The paths of the removed files, sorted.
    package let removed: [String]
    /// The number of files of earlier publications that were retained.
    package let retained: Int
    /// The errors that prevented removals. The next publication tries these removals again.
    package let removalFailures: [SiteError]
}
