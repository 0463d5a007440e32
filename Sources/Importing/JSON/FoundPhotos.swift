internal import PhotoModel

/// The photos that were found in JSON so far, and what was left out.
struct FoundPhotos {
    /// The numbers of texts and of entries without an address.
    struct LeftOut: Equatable {
        var texts = 0
        var entries = 0
    }

    /// A photo, and whether it counts beside the own picture of the object around it.
    private struct Found {
        var photo: ImportedPhoto
        /// False for what can be a page, an icon or another form of that picture.
        var isSure: Bool
    }

    private var found: [Found] = []
    private var reader: FieldReader
    var left = LeftOut()

    init(base: SourceBase) {
        reader = FieldReader(base: base)
    }

    var base: SourceBase { reader.base }
    var count: Int { found.count }
    var photos: [ImportedPhoto] { found.map(\.photo) }

    var warnings: [String] {
        var reader = reader
        reader.skip(left.entries)
        guard left.texts > 0 else { return reader.warnings }
        let verbs = left.texts == 1 ? "is not an address and is" : "are not addresses and are"
        return reader.warnings + ["\(counted(left.texts, "text")) in it \(verbs) left out"]
    }

    /// - Parameter details: the texts that describe the photo, apart from its name.
    mutating func add(
        _ address: String, _ details: JSONObject.Details? = nil, name: String?, album: [String], isSure: Bool = true
    ) {
        guard var photo = reader.photo(address: address, album: album, { details?($0) }) else { return }
        photo.name = name
        found.append(Found(photo: photo, isSure: isSure))
    }

    /// Adds the photo that an object is, unless a photo with the same address was found in it.
    /// - Parameters:
    ///   - details: the texts that describe the photo.
    ///   - start: the number of photos before those in the object.
    mutating func add(
        _ object: JSONObject, _ details: JSONObject.Details, name: String?, album: [String], from start: Int
    ) {
        guard let address = object.address else { return }
        let photo = reader.photo(address: address.text, album: album) { $0 == .name ? name : details($0) }
        guard let photo, !found[start...].contains(where: { $0.photo.address == photo.address }) else { return }
        found.insert(Found(photo: photo, isSure: address.isSure), at: start)
    }

    /// Removes the photos with the address of an object.
    mutating func removeAddress(of object: JSONObject, from start: Int) {
        guard let address = object.address.flatMap({ base.address(ofWritten: $0.text) }) else { return }
        keep(from: start) { $0.photo.address != address }
    }

    /// Removes the photos that do not count beside a picture.
    mutating func removeUnsure(from start: Int) { keep(from: start, where: \.isSure) }

    /// Removes the links to anything but pictures. The others do not count beside a picture.
    mutating func keepLinkedPictures(from start: Int) {
        keep(from: start) { PictureText.endsLikePicture($0.photo.address) }
        mark(from: start, isSure: false)
    }

    private mutating func keep(from start: Int, where condition: (Found) -> Bool) {
        guard !found[start...].allSatisfy(condition) else { return }
        let kept = found[start...].filter(condition)
        found.replaceSubrange(start..., with: kept)
    }

    /// Whether one of the photos counts beside a picture.
    func hasSure(from start: Int) -> Bool { found[start...].contains(where: \.isSure) }

    /// Whether the address of one of the photos ends like that of a picture.
    func hasPicture(from start: Int) -> Bool {
        found[start...].contains { PictureText.endsLikePicture($0.photo.address) }
    }

    mutating func mark(from start: Int, isSure: Bool) {
        for index in start..<found.count { found[index].isSure = isSure }
    }
}
