/// Records, whose keys are the names of fields.
extension JSONWalk {
    /// Reads a record: the photo that it is, and those in its fields.
    /// - Parameter isNamed: whether `name` takes precedence over the record's own name.
    mutating func readRecord(_ record: JSONObject, name: String?, album: [String], isNamed: Bool = false) {
        let start = found.count
        let (own, outer) = (record.details, inherited)
        let details: JSONObject.Details = { own($0) ?? outer?($0) }
        let name = (isNamed ? name : nil) ?? own(.name) ?? name
        var contents = Contents()
        defer { inherited = outer }
        for (index, member) in record.members.enumerated() where !record.isDetail(at: index) {
            let key = record.keys[index]
            let before = found.count
            // The name is that of the record's own photo, and so is the text for readers who do not see it.
            inherited = key.hasPhotosOfRecord ? { [.name, .alt].contains($0) ? nil : details($0) } : nil
            switch member.value {
            case .string(let text): readText(text, details, at: index, in: record, name: name, album: album)
            case .array(let elements) where index != record.address?.index:
                readField(elements, key, details, name: name, album: album)
            case .object where index == record.address?.index:
                if readAddress(of: record, name: name, album: album) { contents.hasLists = true }
                continue
            case .object(let members):
                let field = object(members)
                if record.isOtherAddress(field, at: index) { break }
                readField(field, member.key, key, name: name, album: album)
                // Beside names, an object is a photo or an album, and no part of a record.
                if record.hasNamesBesideAddress, key == .name { found.mark(from: before, isSure: true) }
            case .array, .null, .bool, .number: break
            }
            if key == .links || key == .forms && record.address != nil { found.keepLinkedPictures(from: before) }
            contents.add(key, in: found, from: before)
        }
        if contents.hasLists || record.hasPicture { found.removeUnsure(from: start) }
        if !contents.replaces(record) { found.add(record, details, name: name, album: album, from: start) }
    }

    /// Reads a text of a record. Texts are details, unless they end like a picture.
    private mutating func readText(
        _ text: String, _ details: @escaping JSONObject.Details, at index: Int, in record: JSONObject, name: String?,
        album: [String]
    ) {
        guard index != record.address?.index else { return }
        let (member, key) = (record.members[index].key, record.keys[index])
        let isPicture = PictureText.endsLikePicture(text)
        switch key {
        case _ where record.hasNamesBesideAddress:
            if isPicture || PictureText.isURL(text) && key.canName && !JSONKey.isLink(member) {
                found.add(text, name: member, album: album)
            }
        case .name where isPicture && !record.isFileName(text),
            .size where record.isName(at: index) && PictureText.isAddress(text):
            let isNameless = index == record.onlyPicture && JSONKey.isField(member)
            found.add(text, details, name: name ?? (isNameless ? nil : member), album: album)
        case _ where isPicture && record.isOtherPicture(at: index):
            found.add(text, details, name: name, album: album, isSure: false)
        default: break
        }
    }

    /// Reads an array in a field of a record.
    private mutating func readField(
        _ elements: [JSONValue], _ key: JSONKey, _ details: @escaping JSONObject.Details, name: String?,
        album: [String]
    ) {
        let (start, left) = (found.count, found.left)
        switch key {
        case .list(.album) where name != nil:
            // The date, the page and the words of an album are not those of its photos.
            inherited = { [.credit, .license].contains($0) ? details($0) : nil }
            readEntries(elements, name: nil, album: album + [name].compactMap { $0 })
        case .forms:
            let forms = JSONObject.widest(elements).map { [$0] } ?? elements
            readEntries(forms, name: name, album: album, isField: true)
        case .list(.pictures), .address(.picture, _):
            readEntries(JSONObject.widestSize(elements).map { [$0] } ?? elements, name: name, album: album)
        case _ where key.isPictures: readEntries(elements, name: name, album: album)
        default: readEntries(elements, name: name, album: album, isField: true, isList: key != .included)
        }
        // The media of a record can be its details.
        if key == .list(.media), found.count == start { found.left = left }
        if key == .forms { found.mark(from: start, isSure: false) }
        if case .address = key, !key.isPictures { found.mark(from: start, isSure: false) }
    }

    /// Reads an object in a field of a record: a part of the record, or named pictures.
    private mutating func readField(
        _ field: JSONObject, _ member: String, _ key: JSONKey, name: String?, album: [String]
    ) {
        let start = found.count
        let inner = album + [name].compactMap { $0 }
        if field.hasNames(in: key) {
            readMap(field, name: nil, album: key.isList ? inner : inner + [member])
            // Without a picture among them, they can be links.
            if !key.isList, !field.hasNamedPictures { found.mark(from: start, isSure: false) }
        } else if key == .list(.album), name != nil {
            if field.address == nil, !field.hasFields {
                readMap(field, name: nil, album: inner)
            } else {
                readRecord(field, name: nil, album: inner)
            }
        } else {
            readRecord(field, name: name, album: album)
        }
        if key.isPictures {
            found.mark(from: start, isSure: true)
        } else if key == .forms || key.isForm && field.isPicture {
            found.mark(from: start, isSure: false)
        }
    }
}
