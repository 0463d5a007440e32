import Imaging
import Program
import Testing

@Suite("Where a setting's value comes from") struct SettingLayersTests {
    private let table = SettingsTable.table

    private func file(_ text: String) throws -> SettingsFile {
        try SettingsFile(text, name: "gallerygen.yaml", known: SettingsTable.namesInFile)
    }

    private func message(_ text: String) -> String? {
        do {
            return try file(text).errors.first?.message
        } catch {
            return (error as? SettingsError)?.message
        }
    }

    @Test("A flag overrides the environment, which overrides the file")
    func precedence() throws {
        var layers = SettingLayers(file: try file("per-page: 10\n"))
        #expect(try layers.value(table.page.perPage) == 10)
        layers.environment["GALLERYGEN_PER_PAGE"] = "20"
        #expect(try layers.value(table.page.perPage) == 20)
        layers.flags["per-page"] = "30"
        #expect(try layers.value(table.page.perPage) == 30)
        #expect(try layers.value(table.pictures.quality) == 82)
    }

    @Test("A YAML list sets a setting that is a list")
    func lists() throws {
        let layers = SettingLayers(file: try file("widths: [800, 320]\nfilter: sepia(0.5)\nstrict: yes\n"))
        #expect(try layers.value(table.pictures.widths) == [320, 800])
        #expect(try layers.value(table.pictures.filter).description == "sepia(0.5)")
        #expect(try layers.value(table.run.strict) == true)
    }

    @Test("Permissions are octal digits, even where YAML would see a number", arguments: ["644", "0644", "'644'"])
    func permissions(text: String) throws {
        let layers = SettingLayers(file: try file("mode: \(text)\n"))
        #expect(try layers.value(table.page.mode) != nil)
    }

    @Test("The error about a value out of range names the setting, its position and the allowed values")
    func outOfRange() throws {
        var layers = SettingLayers(file: try file("title: Club\nquality: 101\n"))
        do {
            _ = try layers.value(table.pictures.quality)
            Issue.record("the quality 101 was accepted")
        } catch {
            #expect(error.exitCode == .settingsInvalid)
            #expect(
                error.message
                    == "gallerygen.yaml:2:1: quality: '101' is not allowed; expected a whole number from 1 to 100")
        }
        layers.file = nil
        layers.environment["GALLERYGEN_QUALITY"] = "high"
        do {
            _ = try layers.value(table.pictures.quality)
            Issue.record("the quality 'high' was accepted")
        } catch {
            #expect(error.exitCode == .settingsInvalid)
            #expect(error.message.contains("GALLERYGEN_QUALITY"))
        }
        layers.environment = [:]
        layers.flags["quality"] = "0"
        do {
            _ = try layers.value(table.pictures.quality)
            Issue.record("the value 0 was accepted")
        } catch {
            #expect(error.exitCode == .usage)
            #expect(error.message.contains("--quality"))
        }
    }

    @Test("An invalid value is an error even if another layer overrides it")
    func coveredMistakes() throws {
        let layers = SettingLayers(flags: ["quality": "80"], file: try file("quality: lots\n"))
        #expect(throws: SettingsError.self) { try layers.value(table.pictures.quality) }
    }

    @Test("An unknown setting is an error with its line and the nearest known setting")
    func unknownSettings() {
        let text = message("title: Club\nper_page: 10\n")
        #expect(text?.hasPrefix("gallerygen.yaml:2:1: unknown setting 'per_page'; did you mean 'per-page'?") == true)
    }

    @Test("Broken YAML, a list instead of a map, and a map instead of a value are errors with their position")
    func brokenFiles() {
        #expect(message("title: [a\n")?.hasPrefix("gallerygen.yaml:2:1: ") == true)
        #expect(message("- a\n- b\n")?.contains("expected one setting per line") == true)
        #expect(message("title: {a: b}\n")?.contains("'title' must be a value") == true)
        #expect(message("quality: 1\n# again\nquality: 2\n") == "gallerygen.yaml:3: given twice: quality")
    }

    @Test("An empty file and a file of comments set nothing", arguments: ["", "# nothing\n", "---\n"])
    func emptyFiles(text: String) throws {
        #expect(try file(text).values.isEmpty)
    }

    @Test("Every setting has a flag, a variable and a YAML key that follow from one name")
    func spellings() {
        #expect(table.downloads.downloadsPerHost.variable == "GALLERYGEN_DOWNLOADS_PER_HOST")
        let names = SettingsTable.entries.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
