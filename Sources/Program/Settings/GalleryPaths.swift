internal import Foundation
internal import Gallery
internal import PhotoModel
internal import Site
internal import Watching

/// The absolute paths of the folders and files of a build. Paths in a settings file are relative to the folder of that
/// file, all others to the current folder.
struct GalleryPaths {
    let output: String
    let state: String
    private let templates: String?
    private let ratings: String?
    /// The file of `--metrics`; nil if there is none.
    let metrics: String?
    /// The folder in which the command of `--on-change` runs.
    let commandFolder: String

    init(
        layers: SettingLayers, environment: ProcessEnvironment, manifests: ManifestArguments
    ) throws(SettingsError) {
        let table = SettingsTable.table
        func absolute(_ text: String, _ setting: some SettingEntry) -> String {
            environment.absolute(text, in: layers.isFromFile(setting) ? layers.file?.folder : nil)
        }
        func path(_ setting: Setting<String?>) throws(SettingsError) -> String? {
            try layers.value(setting).map { absolute($0, setting) }
        }
        output = try path(table.locations.output) ?? (manifests.folder ?? environment.folder) + "/public"
        let besideManifest = manifests.folder ?? (output as NSString).deletingLastPathComponent
        state = try path(table.locations.state) ?? besideManifest + "/.gallerygen"
        templates = try path(table.page.templates)
        ratings = try path(table.page.ratings)
        metrics = try path(table.notifications.metrics)
        let folderOfFile = layers.isFromFile(table.notifications.onChange) ? layers.file?.folder : nil
        commandFolder = folderOfFile.map { environment.absolute($0) } ?? environment.folder
    }

    /// The files and folders among these paths that a build reads.
    var watched: WatchedPaths {
        WatchedPaths(
            files: Set([ratings].compactMap(\.self)), folders: Set([templates].compactMap(\.self)))
    }

    /// The ratings that the pages show from the start.
    func bakedRatings() throws(SettingsError) -> Ratings {
        guard let ratings else { return .none }
        guard FileManager.default.fileExists(atPath: ratings) else {
            throw SettingsError(origin: .missing, message: "ratings: \(ratings) does not exist", awaited: watched)
        }
        do {
            return try Ratings(json: [UInt8](try Data(contentsOf: URL(fileURLWithPath: ratings))))
        } catch let problem as Ratings.Problem {
            throw SettingsError(
                origin: .file(ratings), message: "ratings: \(ratings): \(problem.message)", awaited: watched)
        } catch {
            throw SettingsError(
                origin: .file(ratings), message: "ratings: \(ratings) can't be read: \(systemMessage(error))",
                awaited: watched)
        }
    }

    /// The built-in templates. A file in the templates folder replaces the built-in one of the same name.
    /// - Parameter language: the language of the texts of the pages.
    func templateSet(language: String) throws(SettingsError) -> TemplateSet {
        guard let templates else { return TemplateSet(language: language) }
        var isFolder: ObjCBool = false
        // Foundation finds no files in a file, and does not call that an error.
        if FileManager.default.fileExists(atPath: templates, isDirectory: &isFolder), !isFolder.boolValue {
            throw SettingsError(
                origin: .file(templates), message: "templates: \(templates) is not a folder", awaited: watched)
        }
        do {
            return try TemplateSet(overrides: try Self.files(in: templates), language: language)
        } catch let error as SiteError {
            throw SettingsError(origin: .file(templates), message: error.description, awaited: watched)
        } catch {
            throw SettingsError(
                origin: .file(templates), message: "templates: \(templates) can't be read: \(systemMessage(error))",
                awaited: watched)
        }
    }

    private static func files(in folder: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            files[name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        return files
    }
}
