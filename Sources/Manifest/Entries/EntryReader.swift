internal import Addresses
internal import PhotoModel

/// Reads the dict of one photo.
struct EntryReader {
    /// The content of a photo's dict, before its name and album are known.
    struct Entry {
        /// The name; nil if the dict has none, or an empty one.
        var name: LocatedText?
        var address: AddressResolver.Address
        var details = PhotoDetails()
        var filter: LocatedText?
        /// How soon the photo is expected to change; nil if the default of the gallery applies.
        var expectedChange: ExpectedChange?
        /// The digest that the original must have; nil if any will do.
        var pinned: Digest?
        /// The further addresses of the same picture.
        var mirrors: [Source] = []
    }

    /// The number of addresses of an entry that are read. Each can cost a photo a request in every build.
    static let maximumAddresses = 16

    private let addresses: AddressResolver
    private var fields: [EntryKey: PropertyListEntry] = [:]

    init(addresses: AddressResolver) {
        self.addresses = addresses
    }

    /// - Parameter warnings: receives a warning for each detail that is not usable. Such a detail is left out.
    mutating func read(_ entries: [PropertyListEntry], warnings: inout ManifestWarnings) -> Entry {
        fields.removeAll(keepingCapacity: true)
        for entry in entries {
            if let key = EntryKey(rawValue: entry.key) {
                fields[key] = entry
            } else {
                warnings.addUnknownKey(entry.key, at: entry.keyPosition)
            }
        }
        var (entry, mirrors) = (Entry(address: address()), mirrors(&warnings))
        if let first = mirrors.first {
            entry.address = first
            mirrors.removeFirst()
            // All of several addresses are usable, as `mirrors` leaves the others out with a warning.
            entry.mirrors = mirrors.compactMap { try? $0.source.get() }
        }
        entry.name = first(of: EntryKey.names, &warnings)
        entry.details.caption = first(of: EntryKey.captions, &warnings, WhiteSpace.collapsedLines)?.text
        entry.details.alt = text(.alt, &warnings)?.text
        entry.details.credit = text(.credit, &warnings)?.text
        entry.details.license = text(.license, &warnings)?.text
        entry.details.link = link(&warnings)
        entry.details.date = date(&warnings)
        entry.details.tags = tags(&warnings)
        entry.details.rating = rating(&warnings)
        entry.filter = text(.filter, &warnings)
        entry.expectedChange = parsed(.expectChange, expected: ExpectedChange.allowed, &warnings) { ExpectedChange($0) }
        entry.pinned = parsed(.sha256, expected: "64 hexadecimal digits", &warnings) { Digest(hex: $0.lowercased()) }
        return entry
    }

    private func address() -> AddressResolver.Address {
        guard let field = EntryKey.addresses.lazy.compactMap({ fields[$0] }).first else {
            return addresses.unusable(.missing)
        }
        guard case .string(let text) = field.value.content else {
            return addresses.unusable(field.value.addressProblem)
        }
        return addresses.resolve(text)
    }

    /// The addresses of an entry with several, as far as they can be used, each once; empty for an entry with one. If
    /// none can be used, the first is returned, whose failure is that of the photo.
    private func mirrors(_ warnings: inout ManifestWarnings) -> [AddressResolver.Address] {
        guard let field = EntryKey.addresses.lazy.compactMap({ fields[$0] }).first,
            case .array(let values) = field.value.content
        else { return [] }
        var (usable, others) = ([AddressResolver.Address](), [AddressResolver.Address]())
        var known: Set<Source.Location> = []
        if values.count > Self.maximumAddresses {
            warnings.add(
                "the addresses of '\(field.key)' after the first \(Self.maximumAddresses) are ignored",
                at: values[Self.maximumAddresses].position)
        }
        for (index, value) in values.prefix(Self.maximumAddresses).enumerated() {
            let address: AddressResolver.Address =
                if case .string(let text) = value.content {
                    addresses.resolve(text)
                } else {
                    addresses.unusable(value.addressProblem)
                }
            switch address.source {
            case .success(let source):
                if known.insert(source.location).inserted { usable.append(address) }
            case .failure(let failure):
                others.append(address)
                warnings.add(
                    "address \(index + 1) of '\(field.key)' is ignored: \(Reason(failure).message)", at: value.position)
            }
        }
        return usable.isEmpty ? Array(others.prefix(1)) : usable
    }

    private func first(
        of keys: [EntryKey], _ warnings: inout ManifestWarnings, _ collapsed: (String) -> String = WhiteSpace.collapsed
    ) -> LocatedText? {
        for key in keys {
            if let text = text(key, &warnings, collapsed) { return text }
        }
        return nil
    }

    /// The text under `key` with its white space collapsed; nil if it is missing or empty.
    private func text(
        _ key: EntryKey, _ warnings: inout ManifestWarnings, _ collapsed: (String) -> String = WhiteSpace.collapsed
    ) -> LocatedText? {
        guard let value = fields[key]?.value else { return nil }
        guard case .string(let text) = value.content else {
            warnings.add(Self.mismatch(key, value, expected: "text"), at: value.position)
            return nil
        }
        let shown = collapsed(text)
        return shown.isEmpty ? nil : LocatedText(text: shown, position: value.position)
    }

    private func link(_ warnings: inout ManifestWarnings) -> String? {
        guard let link = text(.link, &warnings) else { return nil }
        let problem: String
        switch URLScheme.of(link.text) {
        case "http", "https":
            do throws(AddressProblem) {
                let parsed = Result { () throws(URLProblem) in try ParsedURL(link.text, keepsDots: true) }
                let target = try parsed.mapError(AddressProblem.init).get()
                let url = try HTTPAddress.normalized(target)
                if target.userInfo == nil, ShownAddress.isCertain(link.text) { return url }
                problem = "it contains a user name"
            } catch {
                problem = error.english
            }
        case let scheme? where ShownAddress.url(link.text) != ShownAddress.elision:
            problem = "only http and https links are supported, not \((scheme + ":").quoted)"
        default: problem = "it is not absolute (expected http://… or https://…)"
        }
        warnings.add("'link' is ignored: \(problem)", at: link.position)
        return nil
    }

    private func date(_ warnings: inout ManifestWarnings) -> String? {
        guard let value = fields[.date]?.value else { return nil }
        switch value.content {
        case .date(let date): return date
        case .string: return text(.date, &warnings)?.text
        default:
            warnings.add(Self.mismatch(.date, value, expected: "a date or text"), at: value.position)
            return nil
        }
    }

    private func tags(_ warnings: inout ManifestWarnings) -> [String] {
        guard let value = fields[.tags]?.value else { return [] }
        var tags: [String] = []
        switch value.content {
        case .string(let list):
            tags = list.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
        case .array(let values):
            for value in values {
                if case .string(let tag) = value.content {
                    tags.append(tag)
                } else {
                    warnings.add("a tag is ignored: expected text, found \(value.kind)", at: value.position)
                }
            }
        default:
            warnings.add(
                Self.mismatch(.tags, value, expected: "an array of texts, or one text with commas"), at: value.position)
        }
        var known: Set<String> = []
        return tags.map(WhiteSpace.collapsed).filter { !$0.isEmpty && known.insert($0).inserted }
    }

    private func rating(_ warnings: inout ManifestWarnings) -> Double? {
        guard let value = fields[.rating]?.value else { return nil }
        guard case .number(let number) = value.content else {
            warnings.add(Self.mismatch(.rating, value, expected: "a number from 0 to 5"), at: value.position)
            return nil
        }
        guard (0...5).contains(number) else {
            warnings.add("'rating' is ignored: \(number) is not from 0 to 5", at: value.position)
            return nil
        }
        return number
    }

    /// The value of a key whose text has a syntax of its own; nil if it is missing, or not allowed.
    /// - Parameter expected: the allowed values, for the warning.
    private func parsed<Value>(
        _ key: EntryKey, expected: String, _ warnings: inout ManifestWarnings, _ parse: (String) -> Value?
    ) -> Value? {
        guard let value = fields[key]?.value else { return nil }
        guard case .string(let written) = value.content else {
            warnings.add(Self.mismatch(key, value, expected: "text"), at: value.position)
            return nil
        }
        let text = WhiteSpace.collapsed(written)
        if let result = parse(text) { return result }
        warnings.add(
            "'\(key.rawValue)' is ignored: \(text.quoted) is not allowed; expected \(expected)", at: value.position)
        return nil
    }

    private static func mismatch(_ key: EntryKey, _ value: PropertyListValue, expected: String) -> String {
        "'\(key.rawValue)' is ignored: expected \(expected), found \(value.kind)"
    }
}
