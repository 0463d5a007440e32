internal import PhotoModel

/// The photos that were found in JSON so far, and what was left out.
struct FoundPhotos {
    /// The texts and the entries without an address.
    struct LeftOut: Equatable {
        fileprivate(set) var texts = Omission()
        fileprivate(set) var entries = Omission()
    }

    /// A photo, and whether it counts beside the own picture of the object around it.
    private struct Found {
        var photo: ImportedPhoto
        /// The fields whose values the photo can't have.
        let unusable: [FieldNames.Field]
        let place: SourcePlace?
        /// False for what can be a page, an icon or another form of that picture.
        var isSure: Bool
    }

    private var found: [Found] = []
    private let reader: FieldReader
    /// The place of the value that is read; nil if it is not known.
    var place: SourcePlace?
    var left = LeftOut()
    /// The photos without an address that a list can contain.
    private var skipped = Omission()

    init(base: SourceBase) {
        reader = FieldReader(base: base)
    }

    var base: SourceBase { reader.base }
    var count: Int { found.count }
    var photos: [ImportedPhoto] { found.map(\.photo) }

    var warnings: [String] {
        var omissions = Omissions()
        omissions.entries = skipped
        omissions.entries.add(left.entries)
        for photo in found { omissions.add(photo.unusable, at: photo.place) }
        let texts = left.texts
        guard texts.count > 0 else { return omissions.warnings }
        let verbs = texts.count == 1 ? "is not an address and is" : "are not addresses and are"
        return omissions.warnings + ["\(counted(texts.count, "text")) in it \(verbs) left out\(texts.shown)"]
    }

    mutating func leaveOutText() { left.texts.add(at: place) }

    mutating func leaveOutEntry() { left.entries.add(at: place) }

    /// - Parameter details: the texts that describe the photo, apart from its name.
    mutating func add(
        _ address: String, _ details: JSONObject.Details? = nil, name: String?, album: [String], isSure: Bool = true
    ) {
        guard var entry = entry(address, album, { details?($0) }) else { return }
        entry.photo.name = name
        found.append(Found(photo: entry.photo, unusable: entry.unusable, place: place, isSure: isSure))
    }

    /// Adds the photo that an object is, unless a photo with the same address was found in it.
    /// - Parameters:
    ///   - details: the texts that describe the photo.
    ///   - start: the number of photos before those in the object.
    mutating func add(
        _ object: JSONObject, _ details: JSONObject.Details, name: String?, album: [String], from start: Int
    ) {
        guard let address = object.address else { return }
        guard let entry = entry(address.text, album, { $0 == .name ? name : details($0) }),
            !found[start...].contains(where: { $0.photo.address == entry.photo.address })
        else { return }
        let photo = Found(photo: entry.photo, unusable: entry.unusable, place: place, isSure: address.isSure)
        found.insert(photo, at: start)
    }

    private mutating func entry(
        _ address: String, _ album: [String], _ details: JSONObject.Details
    ) -> FieldReader.Entry? {
        guard let entry = reader.entry(address: address, album: album, details) else {
            skipped.add(at: place)
            return nil
        }
        // Fields that can have a link often have another text in JSON.
        return FieldReader.Entry(photo: entry.photo, unusable: entry.unusable.filter { $0 != .link })
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
