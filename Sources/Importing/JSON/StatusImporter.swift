internal import PhotoModel

/// Reads the status.json of another gallery. The address of a photo is that of its source, if the source is shown in
/// full. Otherwise it is that of the unfiltered picture that the gallery publishes, or else that of the largest
/// picture.
struct StatusImporter {
    let base: SourceBase

    static func isStatus(_ root: JSONValue) -> Bool {
        root["schema"]?.number == 1 && root["generator"]?.text?.hasPrefix("gallerygen") == true
            && root["photos"]?.elements != nil
    }

    func list(of root: JSONValue) -> ImportedList {
        var photos: [ImportedPhoto] = []
        var skipped = 0
        for entry in root["photos"]?.elements ?? [] {
            guard let address = address(of: entry) else {
                skipped += 1
                continue
            }
            var photo = ImportedPhoto(
                album: (entry["album"]?.elements ?? []).compactMap(\.text), name: entry["name"]?.text, address: address)
            photo.details.link = entry["page"]?.text.flatMap(base.link)
            photos.append(photo)
        }
        let warning = "\(skipped) of its photos have no address that a list can name"
        return ImportedList(photos: photos, warnings: skipped == 0 ? [] : [warning])
    }

    private func address(of entry: JSONValue) -> String? {
        if let source = entry["source"]?.text, source.hasPrefix("http://") || source.hasPrefix("https://"),
            !source.contains("…")
        {
            return base.address(ofWritten: source)
        }
        let published = entry["original"]?["path"]?.text ?? entry["images"]?.elements?.last?["path"]?.text
        return (published ?? entry["source"]?.text).flatMap(base.address(of:))
    }
}
