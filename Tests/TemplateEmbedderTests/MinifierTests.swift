import TemplateEmbedder
import Testing

@Suite("Minified scripts and style sheets")
struct MinifierTests {
    @Test(
        "Comments and needless space are removed from a script, and nothing that they look like",
        arguments: [
            ("/** What it does. */\nconst one = 1; // first\nlet two = one + 1;\n", "const one=1;let two=one+1;"),
            ("a = b\nc()\n", "a=b\nc()"),
            ("call(\n    one,\n    two\n);\n", "call(one,two);"),
            ("x = a + +b - -c;", "x=a+ +b- -c;"),
            ("const text = 'a  // b' + \"/* c */\" + `${d}  e`;", "const text='a  // b'+\"/* c */\"+`${d}  e`;"),
            (#"it.match(/[/ ]  \/ "/) / 2 / a;"#, #"it.match(/[/ ]  \/ "/)/2/a;"#),
            ("it = 'it\\'s  it';", "it='it\\'s  it';"),
        ])
    func script(source: String, minified: String) {
        #expect(String(decoding: ScriptMinifier(Array(source.utf8)).bytes, as: UTF8.self) == minified)
    }

    @Test(
        "Comments and needless space are removed from a style sheet, and nothing that they look like",
        arguments: [
            ("/* Its page. */\n.a {\n  color: red;\n  margin: 0 auto;\n}\n", ".a{color:red;margin:0 auto}"),
            ("a :hover, b:hover > c { top: 0; }", "a :hover,b:hover>c{top:0}"),
            ("a /* and */ b{left:0}", "a b{left:0}"),
            ("li + li { width: calc( 1rem + 2 * var(--gap) ) ; }", "li + li{width:calc(1rem + 2 * var(--gap))}"),
            ("@media (width > 40em) and (hover) { a { top: 0 } }", "@media (width>40em) and (hover){a{top:0}}"),
            (#"a::before { content: " ;  /* \" } "; }"#, #"a::before{content:" ;  /* \" } "}"#),
            ("a { --x: 1px; } /* never ends", "a{--x:1px}"),
        ])
    func stylesheet(source: String, minified: String) {
        #expect(String(decoding: StylesheetMinifier(Array(source.utf8)).bytes, as: UTF8.self) == minified)
    }
}
