internal import Foundation

/// The files of Templates/ as they are embedded in the program: the scripts in `scripts/` are
/// combined into four files.
struct TemplateFiles {
    /// The scripts that are published as one file, in the order in which they run. One file takes a single request, and
    /// compresses better. The scripts are classic ones, because browsers don't load modules from the disk. Every page
    /// loads gallery.js; viewer.js is loaded when the viewer is opened for the first time, live.js by the pages of a
    /// live build, and preview.js by those of a preview. In the first two files, all scripts except the first and
    /// "main" could be in any order, and this one compresses best.
    private static let scripts = [
        "assets/gallery.js": [
            "photos", "ratings", "router", "view-mode", "search-form", "search-index", "comparison", "keyboard", "main",
        ],
        "assets/viewer.js": [
            "viewer", "prefetch", "bars", "information-panel", "slide", "strip", "slideshow", "transition", "track",
            "motion", "zoom", "gestures",
        ],
        "assets/live.js": ["photo-updates", "live"],
        "assets/preview.js": [
            "photo-updates", "preview-connection", "preview-view", "preview-morph", "preview-stylesheets",
            "preview-page", "preview-arrivals", "preview-viewer", "preview-panel", "preview-filter", "preview",
        ],
    ].mapValues { $0.map { "scripts/\($0).js" } }

    /// The files as they were written, by name: "index.mustache", "assets/gallery.css", "strings/en.txt".
    private var files: [String: String] = [:]
    /// The scripts and style sheets among the files, minified.
    private var minified: [String: String] = [:]

    init(in folder: URL) throws {
        var scripts: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where !Self.isIgnored(name) {
            let file = folder.appending(path: name)
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            // A checkout can have the line breaks of its system.
            let text = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(of: "\r\n", with: "\n")
            if name.hasPrefix("scripts/") { scripts[name] = text } else { files[name] = text }
        }
        let listed = Self.scripts.values.joined()
        guard Set(scripts.keys) == Set(listed) else {
            let differing = Set(scripts.keys).symmetricDifference(listed).sorted().joined(separator: ", ")
            throw EmbeddingError("Templates/scripts and the list in TemplateFiles.swift differ: \(differing)")
        }
        for (file, parts) in Self.scripts { files[file] = parts.compactMap { scripts[$0] }.joined() }
        for (name, text) in files {
            let bytes = Array(text.utf8)
            if name.hasSuffix(".js") {
                minified[name] = String(decoding: ScriptMinifier(bytes).bytes, as: UTF8.self)
            } else if name.hasSuffix(".css") {
                minified[name] = String(decoding: StylesheetMinifier(bytes).bytes, as: UTF8.self)
            }
        }
    }

    /// Whether a file was left by an editor or the system: a hidden file or a backup.
    private static func isIgnored(_ name: String) -> Bool {
        name.hasSuffix("~") || name.split(separator: "/").contains { $0.hasPrefix(".") }
    }

    var source: String {
        """
        // Written by TemplateEmbedder from the files in Templates/.

        /// The templates and assets that are embedded in the program.
        enum EmbeddedTemplates {
            /// As they were written, by name: "index.mustache", "assets/gallery.css", "strings/en.txt".
            static let files: [String: String] = [
        \(Self.entries(files))
            ]

            /// The scripts and style sheets among them, without what only people need.
            static let minified: [String: String] = [
        \(Self.entries(minified))
            ]
        }

        """
    }

    private static func entries(_ files: [String: String]) -> String {
        files.sorted { $0.key < $1.key }.map { "        \"\($0)\": \(literal($1))," }.joined(separator: "\n")
    }

    /// A raw string literal with more number signs than follow any quotation mark or backslash in the text.
    private static func literal(_ text: String) -> String {
        var signs = "#"
        while text.contains("\"" + signs) || text.contains("\\" + signs) { signs += "#" }
        return "\(signs)\"\"\"\n\(text)\n\"\"\"\(signs)"
    }
}
