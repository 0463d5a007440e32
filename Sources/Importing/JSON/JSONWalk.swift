/// Collects the photos of JSON. Outside arrays, keys are the names of photos and albums, as in a property list. The
/// elements of arrays are records: their keys are the names of fields, unless their texts are all named addresses.
struct JSONWalk {
    var found: FoundPhotos
    /// The details of the record whose photos are read. They hold for photos that have none of their own; nil if the
    /// photos belong to no record.
    var inherited: JSONObject.Details?

    init(base: SourceBase) {
        found = FoundPhotos(base: base)
    }

    mutating func readDocument(_ value: JSONValue) {
        switch value {
        case .object(let members): readMap(object(members), name: nil, album: [])
        default: readEntries(value.list, name: nil, album: [])
        }
    }

    /// Reads a value of JSON Lines.
    /// - Parameter line: the number of the line on which the value begins, from 1.
    mutating func readLine(_ value: JSONValue, line: Int) {
        found.place = SourcePlace(unit: .line, number: line)
        readEntries([value], name: nil, album: [])
    }

    func object(_ members: [(key: String, value: JSONValue)]) -> JSONObject {
        JSONObject(members, base: found.base)
    }

    // MARK: Lists

    /// Reads an array whose elements are photos or albums.
    /// - Parameter isField: whether the array is in an unknown field of a record. There, URLs that do not end like
    ///   pictures can be those of pages, unless another element is a picture.
    /// - Parameter isList: whether the objects in it are entries.
    mutating func readEntries(
        _ elements: [JSONValue], name: String?, album: [String], isField: Bool = false, isList: Bool = true
    ) {
        let (start, left) = (found.count, found.left)
        for element in elements where found.count <= ImportLimits.photos {
            switch element {
            case .string(let text):
                if PictureText.isAddress(text) {
                    let isSure = !isField || PictureText.endsLikePicture(text)
                    found.add(text, inherited, name: name, album: album, isSure: isSure)
                } else {
                    found.leaveOutText()
                }
            case .array(let inner): readEntries(inner, name: name, album: album, isField: isField, isList: isList)
            case .object(let members):
                let before = (found.count, found.left)
                readElement(object(members), name: name, album: album)
                if (found.count, found.left) == before { found.leaveOutEntry() }
                if isList { found.mark(from: before.0, isSure: true) }
            case .null, .bool, .number: break
            }
        }
        if isList, found.hasSure(from: start) { found.mark(from: start, isSure: true) }
        if isField, found.count == start { found.left = left }
    }

    mutating func readElement(_ object: JSONObject, name: String?, album: [String]) {
        if object.address == nil, object.hasOnlyNames {
            readMap(object, name: name, album: album, isElement: true)
        } else {
            readRecord(object, name: name, album: album)
        }
    }

    // MARK: Maps

    /// Reads an object whose keys are the names of photos and albums, except that of a document's own address.
    /// - Parameters:
    ///   - name: the name of photos under the keys of lists.
    ///   - isElement: whether the object is an element of an array. Photos in it may have names of their own.
    mutating func readMap(_ map: JSONObject, name: String?, album: [String], isElement: Bool = false) {
        let start = found.count
        let own = map.hasNamesBesideAddress ? nil : map.address
        // The map has only names, and what is no address in it is left out.
        let isPlain = own == nil && !map.hasLists
        var contents = Contents()
        let leftBefore = found.left
        for (index, member) in map.members.enumerated() where !member.key.hasPrefix("@") {
            let key = map.keys[index]
            let isDetail = key.isDetail && (!isPlain || map.hasFields)
            let (before, left) = (found.count, found.left)
            switch member.value {
            case _ where index == own?.index:
                if readAddress(of: map, name: nil, album: album) { contents.hasMainList = true }
                continue
            case .string(let text) where isPlain || !key.isDetail:
                readText(text, at: index, in: map, album: album, isPlain: isPlain)
            case .array where isDetail, .object where isDetail: break
            case .array(let elements) where key.isPictures: readEntries(elements, name: name, album: album)
            case .array(let elements) where key == .links || key == .included:
                readEntries(elements, name: nil, album: album, isField: true, isList: false)
            case .array(let elements): readEntries(elements, name: nil, album: album + [member.key])
            case .object(let members):
                let part = object(members)
                if own != nil, map.isOtherAddress(part, at: index) { break }
                // Beside a list, the address of an image service is that of the server.
                if part.isService, map.hasLists { break }
                let partName = isElement ? part.details(.name) : nil
                readPart(part, key: key.isList ? nil : member.key, name: name, album: album, ownName: partName)
                if key.isForm, !isPlain, part.isPicture { found.mark(from: before, isSure: false) }
            case .string, .null, .bool, .number: break
            }
            // The details of a photo are no entries, and neither are those of a list.
            let canBeDetails = own != nil || !isPlain && member.value.elements == nil
            if canBeDetails, !member.value.isField, !key.isMainList, found.count == before { found.left = left }
            if key == .links { found.keepLinkedPictures(from: before) }
            contents.add(key, in: found, from: before)
        }
        if own != nil, found.count == start { found.left = leftBefore }
        if contents.hasLists || own != nil && map.hasPicture { found.removeUnsure(from: start) }
        // The address of a document with a list is that of its cover or its page.
        if own != nil, !contents.hasMainList, !contents.replaces(map) {
            let details = map.details
            found.add(map, details, name: details(.name), album: album, from: start)
        }
    }

    /// The kinds of keys of an object under which photos were found.
    struct Contents {
        /// Whether the lists of the object's pictures have photos, and whether those that make a document a list have.
        var hasLists = false
        var hasMainList = false
        /// Whether its links or the other forms of its picture have addresses that end like a picture.
        var hasForms = false

        mutating func add(_ key: JSONKey, in found: FoundPhotos, from start: Int) {
            guard found.count > start else { return }
            if key.isPictures { hasLists = true }
            if key.isMainList { hasMainList = true }
            if key == .links || key == .forms, found.hasPicture(from: start) { hasForms = true }
        }

        /// Whether the object's own address is that of a page, a thumbnail or an icon.
        func replaces(_ object: JSONObject) -> Bool { object.address?.isSure == false && (hasLists || hasForms) }
    }

    /// Reads what the member with an object's own address has besides it.
    /// - Returns: whether it has a list of photos.
    mutating func readAddress(of object: JSONObject, name: String?, album: [String]) -> Bool {
        guard let address = object.address, case .object(let members) = object.members[address.index].value else {
            return false
        }
        let start = found.count
        let part = self.object(members)
        readRecord(part, name: name, album: album)
        found.removeAddress(of: part, from: start)
        return part.hasLists && found.count > start
    }

    /// Reads a text of a map. A URL that does not end like a picture is a photo, unless the map has fields of a picture
    /// of its own.
    private mutating func readText(_ text: String, at index: Int, in map: JSONObject, album: [String], isPlain: Bool) {
        let (member, key, isName) = (map.members[index].key, map.keys[index], map.isName(at: index))
        if PictureText.endsLikePicture(text) {
            if isPlain || isName && !map.isFileName(text) {
                found.add(text, name: member, album: album)
            } else if map.isOtherPicture(at: index) {
                found.add(text, name: member, album: album, isSure: false)
            }
        } else if PictureText.isURL(text) {
            guard key.canName, !JSONKey.isLink(member) || index == map.address?.index else { return }
            if isPlain || isName && (map.hasNamedPictures || !map.hasPicture) {
                found.add(text, name: member, album: album)
            } else if isName {
                found.leaveOutText()
            }
        } else if isPlain || map.hasNamedPictures {
            found.leaveOutText()
        }
    }

    /// Reads an object in a map: a photo, or an album.
    /// - Parameters:
    ///   - key: the name of the photo or of the album; nil under the key of a list.
    ///   - ownName: the name that takes precedence over the key for a photo.
    private mutating func readPart(
        _ part: JSONObject, key: String?, name: String?, album: [String], ownName: String?
    ) {
        let start = found.count
        if part.address != nil {
            readRecord(part, name: ownName ?? key ?? name, album: album, isNamed: key != nil)
            found.mark(from: start, isSure: true)
        } else if part.members.isEmpty {
            found.leaveOutEntry()
        } else {
            readMap(part, name: key == nil ? name : nil, album: album + [key].compactMap { $0 })
        }
    }
}
