package import PhotoModel

extension SiteContent {
    /// The digest of everything except `updated`. Two contents with the same digest give the same pages apart from the
    /// time.
    package var digest: Digest { SiteOutline(self).digest(of: self) }
}
