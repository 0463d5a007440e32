package import PhotoModel

extension SiteContent {
    /// The digest of everything but `updated`: two contents with the same digest make the same pages, but for the time.
    package var digest: Digest { SiteOutline(self).digest(of: self) }
}
