package import PhotoModel

extension SiteContent {
    /// The digest of everything but `updated`: two contents with the same digest make the same pages, but for the time.
    package var digest: Digest {
        var writer = DigestWriter()
        writer.add(settings.title, settings.baseURL, settings.language, settings.generator, settings.filter)
        writer.add(settings.perPage)
        writer.add(albums.count)
        for album in albums {
            writer.add(album.path)
            writer.add(album.slug)
        }
        writer.add(photos.count)
        for photo in photos { writer.add(photo) }
        return writer.finish()
    }
}
