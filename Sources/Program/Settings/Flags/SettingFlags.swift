internal import ArgumentParser
internal import Synchronization

/// The flags of a group of settings, one for each entry. Their values stay texts, because a setting is resolved
/// together with environment and settings file.
///
/// ArgumentParser finds the flags of a type by `Mirror(reflecting:)`. Usually each flag is a property with a wrapper.
/// The mirror of this type is made from the table instead, so that no flag is declared twice.
package struct SettingFlags<Group: SettingGroup>: ParsableArguments, CustomReflectable {
    /// The values of the given flags as texts, by the name of the setting.
    package private(set) var texts: [String: String] = [:]

    package init() {}

    package init(from decoder: any Decoder) throws {
        let flags = try decoder.container(keyedBy: SettingKey.self)
        for entry in Group.table.entries {
            let key = SettingKey(stringValue: entry.name)
            if entry.isSwitch {
                let isOn = try flags.decode(Flag<Bool?>.self, forKey: key).wrappedValue
                texts[entry.name] = isOn.map { String($0 != entry.isNegative) }
            } else {
                texts[entry.name] = try flags.decode(Option<String?>.self, forKey: key).wrappedValue
            }
        }
    }

    package var customMirror: Mirror { Mirror(self, children: FlagCache.flags(of: Group.self)) }
}

/// The flags of the groups. ArgumentParser asks for them many times for each command line. Making them anew each time
/// took a third of the start of a debug build.
private enum FlagCache {
    /// `@unchecked Sendable`: the flags are values that never change.
    private struct Flags: @unchecked Sendable {
        let children: [Mirror.Child]
    }

    private static let flags = Mutex<[ObjectIdentifier: Flags]>([:])

    static func flags<Group: SettingGroup>(of group: Group.Type) -> [Mirror.Child] {
        flags.withLock { flags in
            if let known = flags[ObjectIdentifier(group)] { return known }
            let made = Flags(children: group.table.entries.map { (label: $0.name, value: $0.flag) })
            flags[ObjectIdentifier(group)] = made
            return made
        }.children
    }
}

private struct SettingKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { return nil }
}

extension SettingEntry {
    package var isSwitch: Bool { placeholder == nil }

    /// Whether the setting switches something off. Its flag without "no-" means the opposite.
    var isNegative: Bool { name.hasPrefix("no-") }

    /// The name without "no-", such as "originals" for "no-originals".
    private var positiveName: String { isNegative ? String(name.dropFirst(3)) : name }

    /// The flags as the help shows them, such as "-q, --quiet/--no-quiet" or "--quality <n>".
    package var flagSynopsis: String {
        let short = letter.map { "-\($0), " } ?? ""
        guard let placeholder = placeholder else { return "\(short)--\(positiveName)/--no-\(positiveName)" }
        return "\(short)--\(name) <\(placeholder)>"
    }

    /// The default. For a switch it is the flag that chooses it, such as "--no-watch"; for other settings it is the
    /// value.
    package var shownDefault: String {
        guard isSwitch else { return defaultText }
        return "--" + (defaultText != String(isNegative) ? "" : "no-") + positiveName
    }

    fileprivate var flag: any Decodable {
        let long = NameSpecification.Element.customLong(isSwitch ? positiveName : name)
        let names = NameSpecification((letter.map { [.customShort($0)] } ?? []) + [long])
        let text = ArgumentHelp("\(help) (default: \(shownDefault))", valueName: placeholder)
        return isSwitch
            ? Flag<Bool?>(name: names, inversion: .prefixedNo, exclusivity: .chooseLast, help: text)
            : Option<String?>(name: names, help: text, completion: completion)
    }
}
