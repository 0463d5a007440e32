internal import Foundation

/// The list of `--print-settings`: each setting with its value and the origin of the value.
struct SettingsListing {
    /// The rows: name, value and origin.
    private let rows: [[String]]

    /// Prints the list if the settings ask for it.
    /// - Returns: whether the list was printed.
    /// - Throws: `CommandFailure` for mistakes in the settings, but only if the list was requested.
    static func wasPrinted(_ given: GivenArguments) throws(CommandFailure) -> Bool {
        let environment: ProcessEnvironment
        do { environment = try ProcessEnvironment.read() } catch { throw CommandFailure([error]) }
        let sources = SettingSources(given, environment: environment)
        var layers = sources.layers
        let errors = sources.errors + layers.removeWrongValues()
        // No error is possible here, because wrong values have been removed.
        guard (try? layers.value(SettingsTable.table.run.printSettings)) == true else { return false }
        guard errors.isEmpty else { throw CommandFailure(errors) }
        try StandardOutput.write(SettingsListing(layers).text(isTable: StandardOutput.isTerminal))
        return true
    }

    init(_ layers: SettingLayers) {
        let settings = SettingsTable.entries.map { setting in
            guard let entry = layers.entries(of: setting).last else {
                return [setting.name, setting.defaultText, "default"]
            }
            return [setting.name, entry.text, Self.origin(of: setting, entry)]
        }
        let headers = layers.file?.headers.positions.map { field, position in ["headers", field, position] } ?? []
        rows = settings + headers
    }

    private static func origin(of setting: some SettingEntry, _ entry: SettingLayers.Entry) -> String {
        switch entry.origin {
        case .file(let position): position
        case .environment: "environment variable \(setting.variable)"
        case .flag, .missing, .standardInput: setting.name(at: .flag)
        }
    }

    /// - Parameter isTable: whether columns are aligned with spaces. If not, they are separated by tabs.
    func text(isTable: Bool) -> String {
        let rows = rows.map { row in row.map { TerminalText.text($0.replacing("\n", with: " ")) } }
        guard isTable else { return rows.map { $0.joined(separator: "\t") + "\n" }.joined() }
        let widths = (0..<2).map { column in rows.map { TextWidth.columns(of: $0[column]) }.max() ?? 0 }
        return rows.map { row in
            TextWidth.padded(row[0], to: widths[0]) + "  " + TextWidth.padded(row[1], to: widths[1]) + "  \(row[2])\n"
        }.joined()
    }
}
