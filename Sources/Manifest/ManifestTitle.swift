/// Makes a gallery's title of its manifest's file name.
enum ManifestTitle {
    /// "classic-photos.plist" is "Classic Photos"; nil where there is no name to take.
    static func of(_ origin: ManifestOrigin) -> String? {
        switch origin {
        case .file(let path, _): words(FileName.last(ofPath: path))
        case .standardInput: nil
        case .remote(let url, _) where !ShownAddress.isCertain(url): nil
        case .remote(let url, _): FileName.last(ofURL: url).map(words) ?? FileName.host(ofURL: url)
        }
    }

    private static func words(_ fileName: String) -> String? {
        var name = FileName.withoutExtension(fileName)
        // "photos.plist.in", "photos.xml.plist"
        for ending in [".plist", ".xml"] where name.lowercased().hasSuffix(ending) {
            name = FileName.withoutExtension(name)
        }
        let words = name.unicodeScalars.split { "-_. ".unicodeScalars.contains($0) }.map { word in
            String(word.prefix(1)).uppercased() + String(word.dropFirst())
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
