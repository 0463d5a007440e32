import ArgumentParser
import Foundation
import Program
import Testing

@Suite("The table of settings") struct SettingTableTests {
    private static let names = SettingsTable.entries.map(\.name)

    private func entry(_ name: String) throws -> any SettingEntry {
        try #require(SettingsTable.entries.first { $0.name == name })
    }

    /// The entries of the help that begin with a flag, each with all its text.
    private static let flagsInHelp: [String] = {
        let help = BuildCommand.helpMessage(columns: 10_000)
        return help.replacing("\n                          ", with: "  ").split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("  -") && !$0.hasSuffix("Show help information.") }
    }()

    @Test("The table holds nothing but settings, in groups")
    func noOtherProperties() {
        let table = SettingsTable.table
        #expect(Mirror(reflecting: table).children.count == SettingsTable.groups.count)
        for group in SettingsTable.groups {
            #expect(Mirror(reflecting: group).children.count == group.entries.count, "\(type(of: group).title)")
        }
        #expect(Set(Self.names).count == Self.names.count)
    }

    @Test("The help of `build` has one flag for each setting, with its default", arguments: names)
    func help(name: String) throws {
        let entry = try entry(name)
        let lines = Self.flagsInHelp.filter { $0.hasPrefix("  \(entry.flagSynopsis)  ") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains(entry.help) == true)
        #expect(lines.first?.hasSuffix("(default: \(entry.shownDefault))") == true)
    }

    @Test("`build` has no flag for a setting that is not in the table")
    func noOtherFlags() {
        // `--accept` is no setting, because it must not be in a settings file.
        let others = Self.flagsInHelp.filter { !$0.hasPrefix("  --accept <name>") }
        #expect(others.count == Self.names.count && Self.flagsInHelp.count == others.count + 1)
    }

    /// Each setting with an allowed value, or for a switch with the value of its flag.
    private static let examples = SettingsTable.entries.map { (entry: $0, text: $0.isSwitch ? "true" : $0.example) }

    @Test("Each setting has a flag that sets it, and no other")
    func flags() throws {
        let words = Self.examples.flatMap { entry, text in
            ["--\(entry.name)"] + (entry.isSwitch ? [] : [text])
        }
        let flags = try BuildCommand.parse(words).given.flags
        #expect(flags == Dictionary(uniqueKeysWithValues: Self.examples.map { ($0.entry.name, $0.text) }))
        for (entry, _) in Self.examples {
            #expect(entry.errors(in: SettingLayers(flags: flags)).isEmpty)
        }
    }

    @Test("Each setting can be set by a variable and by a line of the settings file")
    func otherSources() throws {
        for (entry, text) in Self.examples {
            #expect(entry.errors(in: SettingLayers(environment: [entry.variable: text])).isEmpty)
            guard SettingsTable.namesInFile.contains(entry.name) else { continue }
            let file = try SettingsFile("\(entry.name): \(text)\n", name: "a.yaml", known: SettingsTable.namesInFile)
            #expect(file.values[entry.name]?.text == text)
            #expect(entry.errors(in: SettingLayers(file: file)).isEmpty)
        }
    }

    @Test("An invalid value is found in each of its sources", arguments: names)
    func wrongValues(name: String) throws {
        let entry = try entry(name)
        func message(_ layers: SettingLayers) -> String {
            let errors = entry.errors(in: layers)
            #expect(errors.count == 1)
            return errors.first?.message ?? ""
        }
        let words = "'' is not allowed"
        let allowed = "; expected \(entry.allowed)"
        let asFlag = message(SettingLayers(flags: [name: ""]))
        #expect(asFlag.hasPrefix("--\(name): \(words)") && asFlag.hasSuffix(allowed))
        // An empty variable counts as not set. A text and a path may be anything else.
        #expect(entry.errors(in: SettingLayers(environment: [entry.variable: ""])).isEmpty)
        let control = "\u{1}"
        if !entry.errors(in: SettingLayers(flags: [name: control])).isEmpty {
            let asVariable = message(SettingLayers(environment: [entry.variable: control]))
            #expect(asVariable.hasPrefix("environment variable \(entry.variable): ") && asVariable.hasSuffix(allowed))
        }
        if SettingsTable.namesInFile.contains(entry.name) {
            let file = try SettingsFile("\(name): ''\n", name: "a.yaml", known: SettingsTable.namesInFile)
            #expect(message(SettingLayers(file: file)).hasPrefix("a.yaml:1:1: \(name): \(words)"))
        }
    }

    @Test("Each switch has a flag for both of its values, of which the last counts")
    func switches() throws {
        let names = SettingsTable.entries.filter(\.isSwitch).map(\.name)
        let positive = names.map { $0.hasPrefix("no-") ? String($0.dropFirst(3)) : $0 }
        let (on, off) = (positive.map { "--\($0)" }, positive.map { "--no-\($0)" })
        func flags(_ words: [String]) throws -> [String: Bool] {
            try BuildCommand.parse(words).given.flags.mapValues { $0 == "true" }
        }
        let expected = Dictionary(uniqueKeysWithValues: names.map { ($0, !$0.hasPrefix("no-")) })
        #expect(try flags(on) == expected)
        #expect(try flags(off + on) == expected)
        #expect(try flags(on + off) == expected.mapValues { !$0 })
    }

    @Test("--no-watch overrides `watch: true` of the settings file")
    func watchIsOff() throws {
        let file = try SettingsFile("watch: true\n", name: "a.yaml", known: SettingsTable.namesInFile)
        let watch = SettingsTable.table.run.watch
        #expect(try SettingLayers(file: file).value(watch))
        let flags = try BuildCommand.parse(["--no-watch"]).given.flags
        #expect(try !SettingLayers(flags: flags, file: file).value(watch))
    }

    @Test("docs/reference/settings.md agrees with the table; `make reference` writes it")
    func reference() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/reference/settings.md"), encoding: .utf8)
        #expect(page == SettingsReference.text)
        #expect(page.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }
}
