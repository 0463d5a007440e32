import Foundation
import PhotoModel
import Site
import TestSupport
import Testing

@Suite("Templates")
struct TemplateTests {
    @Test(
        "The error about a template names its file and line",
        arguments: [
            ("index.mustache", "{{siteTitle}}\n\n{{captoin}}", 3, "\"captoin\" is unknown here"),
            ("index.mustache", "{{siteTitle}}\n{{>crad}}", 2, "there is no template crad.mustache"),
            ("index.mustache", "a\n{{#count}}\n{{number}}\n", 4, "a section is not closed"),
            ("index.mustache", "a\n{{#count}}{{/failed}}", 2, "this does not close the section that is open"),
            ("index.mustache", "{{siteTitle", 1, "not"),
            ("index.mustache", "a\n{{{siteTitle}}}", 2, "always escaped"),
            ("index.mustache", "{{&siteTitle}}", 1, "always escaped"),
            ("index.mustache", "{{count}}", 1, "{{count}} is not a text"),
            ("index.mustache", "{{isFirst}}", 1, "{{isFirst}} is not a text"),
            ("index.mustache", "{{count.nmber}}", 1, "\"count.nmber\" is unknown here"),
            ("index.mustache", "{{siteTitle.length}}", 1, "is unknown here"),
            ("index.mustache", "{{uppercased(siteTitle)}}", 1, "is unknown here"),
            ("index.mustache", "{{.}}", 1, "is unknown here"),
            ("index.mustache", "{{=<% %>=}}", 1, "not supported"),
            ("index.mustache", "{{% CONTENT_TYPE:TEXT}}", 1, "not supported"),
            ("index.mustache", "{{>index}}", 1, "includes itself"),
            ("index.mustache", "{{#siteTitle}}{{>index}}{{/siteTitle}}", 1, "includes itself"),
            ("pager.mustache", "{{#steps}}{{number}}{{>pager}}{{/steps}}", 1, "includes itself endlessly"),
            ("feed.mustache", "{{#entries}}{{#tags}}{{>feed}}{{/tags}}{{/entries}}", 1, "includes itself endlessly"),
            ("card.mustache", "{{#tags}}{{>card}}{{/tags}}", 1, "includes itself endlessly"),
            ("index.mustache", "{{<layout}}\n{{$mian}}{{/mian}}\n{{/layout}}", 2, "has no block \"mian\""),
            ("index.mustache", "a\u{1}", 1, "U+0001"),
            // The variable is known, but not where the partial is included.
            ("photo-state.mustache", "{{state}}\n{{albumName}}", 2, "\"albumName\" is unknown here"),
            ("card.mustache", "{{name}}\n{{siteTitle}}", 2, "\"siteTitle\" is unknown here"),
            ("feed.mustache", "{{#entries}}\n\n{{nome}}{{/entries}}", 3, "\"nome\" is unknown here"),
            ("photo.mustache", "{{#photo}}{{#tags}}{{name}}{{.}}{{tag}}{{/tags}}{{/photo}}", 1, "\"tag\" is unknown"),
            ("card.mustache", "{{na me}}", 1, "this tag is malformed: {{na me}}"),
            ("card.mustache", "\n{{na\u{A0}me}}", 2, "this tag is malformed"),
            ("card.mustache", "{{# }}", 1, "this tag is malformed: {{# }}"),
            ("card.mustache", "{{}}", 1, "this tag is malformed: {{}}"),
        ])
    func mistakes(file: String, text: String, line: Int, message: String) throws {
        let error = #expect(throws: SiteError.self) { try TemplateSet(overrides: [file: Array(text.utf8)]) }
        guard case .template(let named, let at, let words) = error else {
            Issue.record("no error about a template: \(String(describing: error))")
            return
        }
        #expect(named == file)
        #expect(at == line)
        #expect(words.contains(message), "\(words)")
    }

    @Test("A template may include itself in a list of the album, and in a text within it")
    func recursion() throws {
        let albums = [SiteAlbum(path: ["A"], slug: "a"), SiteAlbum(path: ["A", "B"], slug: "b")]
        for text in [
            "{{#albums}}[{{albumName}}{{>albums}}]{{/albums}}",
            "{{#albums}}[{{albumName}}{{#albumName}}{{>albums}}{{/albumName}}]{{/albums}}",
        ] {
            let site = try RenderedSite(
                Sample.content([Sample.photo("P", album: ["A", "B"])], albums: albums),
                overrides: ["albums.mustache": Array(text.utf8)])
            #expect(site.text("index.html").contains("[A[B]]"))
        }
    }

    @Test("A template that is cut off anywhere is accepted, or refused as a template error")
    func truncation() throws {
        for (name, bytes) in TemplateSet.builtIn where name.hasSuffix(".mustache") {
            for length in stride(from: 0, to: bytes.count, by: 97) {
                do {
                    _ = try TemplateSet(overrides: [name: Array(bytes.prefix(length))])
                } catch {
                    guard case .template(let file, let line, _) = error else {
                        Issue.record("\(name) cut at \(length): \(error)")
                        continue
                    }
                    #expect(file.hasSuffix(".mustache") && line >= 1)
                }
            }
        }
    }

    @Test("A file replaces the built-in one of its name, and the others stay")
    func replacement() throws {
        let site = try RenderedSite(
            Sample.content([Sample.photo("A")]), overrides: ["card.mustache": Array("<li>my {{name}}</li>".utf8)])
        #expect(site.text("index.html").contains("<li>my A</li>"))
        #expect(
            site.text("photo/a.html") == (try RenderedSite(Sample.content([Sample.photo("A")]))).text("photo/a.html"))
    }

    @Test("White space around the name in a tag is ignored, line breaks too")
    func spacedNames() throws {
        let site = try RenderedSite(
            Sample.content([Sample.photo("A")]),
            overrides: ["card.mustache": Array("<li>{{ name\t}}{{# \u{A0}alt\n}}, {{\r\n.}}{{/ alt}}</li>".utf8)])
        #expect(site.text("index.html").contains("<li>A, A</li>"))
    }

    @Test("A user's partial can be included")
    func ownPartial() throws {
        let site = try RenderedSite(
            Sample.content([Sample.photo("A")]),
            overrides: ["card.mustache": Array("{{>mine}}".utf8), "mine.mustache": Array("<i>{{name}}</i>".utf8)])
        #expect(site.text("index.html").contains("<i>A</i>"))
    }

    @Test("Additional style sheets and scripts are linked by every page, under names with a hash of their content")
    func ownAssets() throws {
        let style = Array("b { color: red }".utf8)
        let site = try RenderedSite(
            Sample.content([Sample.photo("A")]),
            overrides: [
                "assets/mine.css": style, "assets/mine.js": Array("1".utf8), "assets/.DS_Store": [0], "x~": [0],
                "README": [0], "assets/README.txt": [0], "strings/notes.md": [0],
            ])
        let path = "assets/mine.\(Digest(of: style).prefix(16)).css"
        #expect(site.files[path] == style)
        #expect(site.values(of: "href", in: "photo/a.html").contains("../" + path))
        #expect(site.text("index.html").contains("script-src 'self'"))
        #expect(site.paths.filter { $0.hasPrefix("assets/mine.") }.count == 2)
    }

    @Test(
        "A file that can be neither a template nor an asset is refused",
        arguments: ["index.html", "assets/a.png", "assets/a b.css", "assets/sub/a.css", "assets/a.b.css"])
    func otherFiles(name: String) {
        #expect(throws: SiteError.self) { try TemplateSet(overrides: [name: []]) }
    }

    @Test("Bytes that are not UTF-8 are refused")
    func encoding() {
        #expect(throws: SiteError.template(file: "card.mustache", line: 1, message: "this is not UTF-8 text")) {
            try TemplateSet(overrides: ["card.mustache": [0xFF]])
        }
    }

    @Test("The digest of the templates changes with each of their bytes and with nothing else")
    func digest() throws {
        let builtIn = TemplateSet().digest
        #expect(
            try TemplateSet(overrides: ["card.mustache": TemplateSet.builtIn["card.mustache"] ?? []]).digest == builtIn)
        #expect(try TemplateSet(overrides: ["card.mustache": []]).digest != builtIn)
        #expect(try TemplateSet(overrides: ["more.mustache": []]).digest != builtIn)
    }

    @Test("Every combination of values that exist or not is rendered as Mustache defines, in any order")
    func patterns() throws {
        let template = """
            {{#photo}}{{name}}|{{#caption}}[{{.}} {{name}}]{{/caption}}{{^caption}}-{{/caption}}|\
            {{#tags}}({{.}}{{#credit}}+{{.}}{{/credit}}){{/tags}}|\
            {{#reason}}{{code}}{{/reason}}{{^reason}}fine{{/reason}}|\
            {{#picture}}{{width}}{{/picture}}|{{stale.code}}|{{#isDownloaded}}D{{/isDownloaded}}{{/photo}}\
            {{#next}}>{{name}}{{/next}}
            """
        var generator = SeededRandom(seed: 2026)
        var photos: [SitePhoto] = []
        for number in 0..<400 {
            var photo = Bool.random(using: &generator) ? Sample.photo("N\(number)") : Sample.failed("N\(number)")
            if photo.state == .filtered, Bool.random(using: &generator) { photo.state = .downloaded }
            if Bool.random(using: &generator) { photo.details.caption = "<c\(number)>" }
            if Bool.random(using: &generator) { photo.details.credit = "me & \(number)" }
            if Bool.random(using: &generator) {
                photo.stale = Stale(since: Sample.updated, reason: Reason(code: .dns, message: ""))
            }
            photo.details.tags = (0..<Int.random(in: 0...3, using: &generator)).map { "t\($0)" }
            photos.append(photo)
        }
        let site = try RenderedSite(Sample.content(photos), overrides: ["photo.mustache": Array(template.utf8)])
        for (index, photo) in photos.enumerated() {
            let details = photo.details
            let credit = details.credit.map { "+" + $0.replacingOccurrences(of: "&", with: "&amp;") } ?? ""
            let parts = [
                photo.name,
                details.caption.map { "[&lt;\($0.dropFirst().dropLast())&gt; \(photo.name)]" } ?? "-",
                details.tags.map { "(\($0)\(credit))" }.joined(),
                photo.reason?.code.rawValue ?? "fine",
                photo.images.last.map { "\($0.width)" } ?? "",
                photo.stale == nil ? "" : "dns",
                photo.state == .downloaded ? "D" : "",
            ]
            let next = index + 1 < photos.count ? ">" + photos[index + 1].name : ""
            #expect(site.text("photo/\(photo.slug).html") == parts.joined(separator: "|") + next)
        }
    }

    @Test("docs/reference/templates.md names every template and every variable")
    func documentation() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = package.appendingPathComponent("docs/reference/templates.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for file in TemplateSet.builtIn.keys { #expect(text.contains("`\(file)`"), "\(file)") }
        for name in TemplateSet.variables { #expect(text.contains("`\(name)`"), "\(name)") }
        for match in text.matches(of: /\| `([a-zA-Z0-9]+)` \|/) {
            #expect(TemplateSet.variables.contains(String(match.1)), "\(match.1) is documented and does not exist")
        }
    }
}
