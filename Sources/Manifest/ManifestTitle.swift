/// Derives a gallery's title from the file name of its manifest.
enum ManifestTitle {
    /// The title in readable words: "Classic Photos" for "classic-photos.plist"; nil if there is no name to derive it
    /// from.
    static func of(_ origin: ManifestOrigin) -> String? {
        switch origin {
        case .file(let path, _): title(FileName.last(ofPath: path))
        case .standardInput: nil
        case .remote(let url, _) where !ShownAddress.isCertain(url): nil
        case .remote(let url, _): FileName.last(ofURL: url).map(title) ?? FileName.host(ofURL: url)
        }
    }

    private static func title(_ fileName: String) -> String? {
        var name = FileName.withoutExtension(fileName)
        // A second extension is removed too, as in "photos.plist.in" or "photos.xml.plist".
        for ending in [".plist", ".xml"] where name.lowercased().hasSuffix(ending) {
            name = FileName.withoutExtension(name)
        }
        let words = name.unicodeScalars.split { "-_. ".unicodeScalars.contains($0) }.map { word in
            String(word.prefix(1)).uppercased() + String(word.dropFirst())
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
