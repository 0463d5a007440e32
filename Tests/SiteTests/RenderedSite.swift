import Foundation
import Site

/// The files of a site, rendered into memory.
struct RenderedSite {
    /// The paths in the order in which the files were emitted.
    private(set) var paths: [String] = []
    private(set) var files: [String: [UInt8]] = [:]

    /// The built-in templates are read once, as most tests use them unchanged.
    private static let builtIn = TemplateSet()

    init(_ content: SiteContent, overrides: [String: [UInt8]] = [:]) throws {
        let isPlain = overrides.isEmpty && content.settings.language == "en"
        let templates =
            try isPlain
            ? Self.builtIn : TemplateSet(overrides: overrides, language: content.settings.language)
        let renderer = try SiteRenderer(content: content, templates: templates)
        renderer.files { file in
            paths.append(file.path)
            files[file.path] = file.bytes
        }
    }

    func text(_ path: String) -> String { String(decoding: files[path] ?? [], as: UTF8.self) }

    /// A page without the content of its templates, which only scripts use.
    func shown(_ path: String) -> String {
        text(path).replacing(/<template>.*<\/template>/, with: "")
    }

    var pages: [String] { paths.filter { $0.hasSuffix(".html") } }

    /// The values of an attribute in a page, with the character references of HTML resolved.
    func values(of attribute: String, in path: String) -> [String] {
        shown(path).components(separatedBy: " \(attribute)=\"").dropFirst().map { rest in
            String(rest.prefix { $0 != "\"" }).replacingOccurrences(of: "&lt;", with: "<")
                .replacingOccurrences(of: "&gt;", with: ">").replacingOccurrences(of: "&quot;", with: "\"")
                .replacingOccurrences(of: "&#39;", with: "'").replacingOccurrences(of: "&amp;", with: "&")
        }
    }

    /// The file that a relative link in a page leads to, as a path from the site's folder, and the fragment.
    static func target(of link: String, from path: String) -> (path: String, fragment: String?)? {
        guard
            let base = URL(
                string: "http://site/" + (path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "")),
            let url = URL(string: link, relativeTo: base)?.absoluteURL, url.host == "site"
        else { return nil }
        return (String(url.path.dropFirst()), url.fragment?.removingPercentEncoding)
    }
}
