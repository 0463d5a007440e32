import PhotoModel
import Site
import TestSupport
import Testing

/// Cases of each section of Mustache's specification, with variables of photo pages.
@Suite("Mustache")
struct MustacheTests {
    /// The page of a photo "A" with the caption "two\nlines" and the tags "x" and "y".
    private func render(_ page: String, _ others: [String: String] = [:]) throws -> String {
        var photo = Sample.photo("A")
        photo.details.caption = "two\nlines"
        photo.details.tags = ["x", "y"]
        let files = others.merging(["photo": page]) { $1 }
        let overrides = files.map { ($0 + ".mustache", Array($1.utf8)) }
        let site = try RenderedSite(Sample.content([photo]), overrides: Dictionary(uniqueKeysWithValues: overrides))
        return site.text("photo/a.html")
    }

    @Test(
        "Sections, inverted sections and variables are rendered by their values",
        arguments: [
            ("{{photo.name}} {{ photo.name }} {{\tphoto.name\n}}", "A A A"),
            ("{{#photo}}{{name}}{{/photo}}{{^photo}}none{{/photo}}", "A"),
            ("{{#photo}}{{#reason}}failed{{/reason}}{{^reason}}fine{{/reason}}{{/photo}}", "fine"),
            ("{{#photo}}{{#tags}}<{{.}}>{{/tags}}{{^tags}}none{{/tags}}{{/photo}}", "<x><y>"),
            ("{{#photo}}{{#tags}}{{name}}{{.}} {{/tags}}{{/photo}}", "Ax Ay "),
            ("{{#photo}}{{stale.code}}{{/photo}}|", "|"),
            ("{ {{photo.name}} } {photo.name}} }}", "{ A } {photo.name}} }}"),
        ])
    func values(template: String, page: String) throws {
        #expect(try render(template) == page)
    }

    @Test(
        "A tag other than a variable that is alone on its line leaves no line behind",
        arguments: [
            ("a\n{{! a comment }}\nb\n", "a\nb\n"),
            ("a {{! a comment }}\nb\n", "a \nb\n"),
            ("a\n  {{! a comment\n of two lines }}  \nb", "a\nb"),
            ("{{#photo}}\na\n{{/photo}}\nb", "a\nb"),
            (" {{#photo}}\t\n a\n  {{/photo}}\nb", " a\nb"),
            ("a\r\n{{#photo}}\r\nb\r\n{{/photo}}\r\nc", "a\r\nb\r\nc"),
            ("a\n{{#photo}}b{{/photo}}\nc", "a\nb\nc"),
            ("a\n{{#photo}}{{/photo}}\nc", "a\n\nc"),
            ("{{#photo}}\na\n{{/photo}}", "a\n"),
            ("a\n  {{photo.name}}\nb", "a\n  A\nb"),
            ("a\n{{^photo}}\nnone\n{{/photo}}\nb", "a\nb"),
        ])
    func standaloneTags(template: String, page: String) throws {
        #expect(try render(template) == page)
    }

    @Test("A partial is rendered where it is included")
    func partials() throws {
        #expect(try render("<{{>part}}>{{#photo}}{{>part}}{{/photo}}", ["part": "{{siteTitle}}|"]).hasSuffix("|"))
        #expect(try render("{{#photo}}[{{> part }}]{{/photo}}", ["part": "{{name}}"]) == "[A]")
        #expect(try render("a\n{{>part}}\nb", ["part": "c\n"]) == "a\nc\nb")
        #expect(try render("a {{>part}}\nb", ["part": "c\n"]) == "a c\n\nb")
    }

    @Test("The lines of a partial are indented like its tag, and those of values are not")
    func indentation() throws {
        #expect(try render("a\n  {{>part}}\nb", ["part": "c\nd\n"]) == "a\n  c\n  d\nb")
        #expect(
            try render("{{#photo}}\n > {{name}}\n  {{>part}}\n{{/photo}}", ["part": "-\n{{caption}}\n-\n"])
                == " > A\n  -\n  two\nlines\n  -\n")
        #expect(
            try render(" {{>outer}}\nz", ["outer": "a\n {{>inner}}\nb\n", "inner": "c\nd\n"])
                == " a\n  c\n  d\n b\nz")
        #expect(
            try render("  {{>part}}\n", ["part": "{{#photo}}\n{{#tags}}\n{{.}}\n{{/tags}}\n{{/photo}}\n"])
                == "  x\n  y\n")
    }

    @Test("A template fills the blocks of its parent, and other blocks keep their content")
    func inheritance() throws {
        let layout = "[{{$a}}first{{/a}}|{{$b}}second{{/b}}]"
        #expect(try render("{{>base}}", ["base": layout]) == "[first|second]")
        #expect(try render("{{<base}}{{$b}}B{{/b}}{{/base}}", ["base": layout]) == "[first|B]")
        #expect(try render("{{<base}} text {{$a}}{{photo.name}}{{/a}}\n{{/base}}", ["base": layout]) == "[A|second]")
        #expect(
            try render(
                "{{<middle}}{{$a}}page{{/a}}{{/middle}}",
                ["middle": "{{<base}}{{$a}}middle{{/a}}{{$b}}middle{{/b}}{{/base}}", "base": layout])
                == "[page|middle]")
        #expect(try render("{{<base}}{{$a}}1{{/a}}{{/base}}{{>base}}", ["base": layout]) == "[1|second][first|second]")
        #expect(
            try render("{{<base}}\n{{$a}}\none\n{{/a}}\n{{/base}}\n", ["base": "{{$a}}\nnone\n{{/a}}\nend\n"])
                == "one\nend\n")
    }

    @Test("A block inside the content of a block of the same name keeps its own content")
    func blockInItself() throws {
        #expect(try render("{{<base}}{{$a}}<{{$a}}in{{/a}}>{{/a}}{{/base}}", ["base": "{{$a}}out{{/a}}"]) == "<in>")
    }

    @Test("Values are escaped in text and in attributes, whatever follows a quotation mark")
    func escaping() throws {
        var photo = Sample.photo("A")
        photo.details.caption = "<a href='x'>&\"\u{301}"
        let template = Array("{{#photo}}{{caption}}{{/photo}}".utf8)
        let site = try RenderedSite(Sample.content([photo]), overrides: ["photo.mustache": template])
        #expect(site.text("photo/a.html") == "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\u{301}")
    }
}
