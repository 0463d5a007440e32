internal import PhotoModel

/// The files apart from pictures that pages load. Each has the beginning of its digest in its name, so that hosts can
/// let browsers cache it forever.
struct AssetSet: Sendable {
    let stylesheets: [SiteFile]
    let scripts: [SiteFile]
    let pictures: [SiteFile]
    /// "live.js", which is only loaded by pages that update themselves.
    let live: SiteFile?
    /// "preview.js" and "preview.css", which only the pages of a preview load. No published site has them.
    let preview: [SiteFile]
    /// "viewer.js", which pages load when the viewer is opened for the first time. It is published together with the
    /// viewer's markup.
    let viewer: SiteFile?

    /// - Parameter files: the content of the files by name: "gallery.css".
    /// - Throws: `SiteError.template` for a file that is neither .css, .js nor .svg, or whose name is not allowed.
    init(files: [String: [UInt8]]) throws(SiteError) {
        var stylesheets: [SiteFile] = []
        var scripts: [SiteFile] = []
        var pictures: [SiteFile] = []
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].allSatisfy(SitePath.isPlain), !parts[0].isEmpty else {
                throw .template(
                    file: "assets/" + name, line: 1,
                    message: "the name of an asset consists of letters, digits, - and _, followed by its type")
            }
            let file = Self.file(named: String(parts[0]), type: String(parts[1]), bytes)
            switch parts[1] {
            case "css": stylesheets.append(file)
            case "js": scripts.append(file)
            case "svg": pictures.append(file)
            default:
                throw .template(file: "assets/" + name, line: 1, message: "assets are .css, .js or .svg")
            }
        }
        let isOfPreview = { (file: SiteFile) in file.path.hasPrefix("assets/preview.") }
        preview = (scripts + stylesheets).filter(isOfPreview)
        self.stylesheets = stylesheets.filter { !isOfPreview($0) }
        let live = scripts.first { $0.path.hasPrefix("assets/live.") }
        let viewer = scripts.first { $0.path.hasPrefix("assets/viewer.") }
        self.live = live
        self.viewer = viewer
        self.scripts = scripts.filter { $0.path != live?.path && $0.path != viewer?.path && !isOfPreview($0) }
        self.pictures = pictures
    }

    /// Creates an asset whose name contains the hash of its content.
    static func file(named name: String, type: String, _ bytes: [UInt8]) -> SiteFile {
        SiteFile(path: "assets/\(name).\(Digest(of: bytes).prefix(16)).\(type)", bytes: bytes)
    }

    var all: [SiteFile] { stylesheets + scripts + pictures }

    /// All style sheets, and those of a preview.
    var allStylesheets: [SiteFile] { (stylesheets + preview).filter { $0.path.hasSuffix(".css") } }

    /// All scripts, whenever they are loaded.
    var allScripts: [SiteFile] {
        (scripts + [live, viewer].compactMap(\.self) + preview).filter { $0.path.hasSuffix(".js") }
    }

    var favicon: SiteFile? { pictures.first { $0.path.hasPrefix("assets/favicon.") } }
}
