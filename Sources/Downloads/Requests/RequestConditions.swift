extension CacheMetadata {
    /// Adds the conditions of a request (RFC 9110 §13.1.2, §13.1.3), except a value that is not valid in a header.
    /// A client that has both validators should send both (§8.8.4), because some caches know only dates.
    func addConditions(to fields: inout HeaderList) throws(DownloadsError) {
        if let etag { try fields.append("If-None-Match", etag) }
        if let lastModified { try fields.append("If-Modified-Since", lastModified) }
    }
}
