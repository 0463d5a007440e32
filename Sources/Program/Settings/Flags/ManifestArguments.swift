internal import Foundation
internal import Gallery
internal import Manifest
internal import Watching

/// The manifests as they were given on the command line.
struct ManifestArguments {
    private let names: [String]
    private let environment: ProcessEnvironment

    /// - Parameter names: paths, URLs or "-". An empty list means photos.plist in the current folder.
    init(_ names: [String], environment: ProcessEnvironment) {
        self.names = names.isEmpty ? ["photos.plist"] : names
        self.environment = environment
    }

    func inputs(_ standardInput: () throws(SettingsError) -> [UInt8]) throws(SettingsError) -> [ManifestInput] {
        var inputs: [ManifestInput] = []
        for name in names {
            if name.isEmpty {
                throw SettingsError(
                    origin: .flag, message: "the name of a list is empty; leave it out to use photos.plist")
            } else if name == "-" {
                inputs.append(.standardInput(try standardInput(), directory: environment.folder))
            } else if Self.isURL(name) {
                inputs.append(.remote(url: name))
            } else {
                inputs.append(.file(path: environment.absolute(name), shown: ShownAddress.file(name)))
            }
        }
        return inputs
    }

    /// The folder of the first manifest; nil if the first manifest is a URL or standard input.
    var folder: String? {
        guard let first = names.first, first != "-", !Self.isURL(first) else { return nil }
        return (environment.absolute(first) as NSString).deletingLastPathComponent
    }

    /// The paths of the manifests that are files.
    var watched: WatchedPaths {
        let files = names.filter { $0 != "-" && !Self.isURL($0) }
        return WatchedPaths(files: Set(files.map { environment.absolute($0) }))
    }

    static func isURL(_ name: String) -> Bool {
        let start = name.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
