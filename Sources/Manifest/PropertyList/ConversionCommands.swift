/// The commands that convert a property list of another form to XML, ready to be pasted into a shell.
struct ConversionCommands {
    /// The command for macOS, with Apple's tool.
    let plutil: String
    /// The command for all systems. It needs only Python's standard library.
    let python: String

    /// A manifest in a file is converted in place. For any other origin, the commands are filters from standard input
    /// to standard output.
    init(from format: PropertyListFormat, origin: ManifestOrigin) {
        let parser = Self.parser(of: format)
        switch origin {
        case .file(_, let shown):
            // A name that begins with a hyphen would be taken for an option.
            let file = ShellWord.quoted(shown.utf8.first == UInt8(ascii: "-") ? "./" + shown : shown)
            plutil = "plutil -convert xml1 \(file)"
            python =
                "python3 -c 'import \(parser.modules); f=sys.argv[1]; b=open(f,\"rb\").read(); "
                + "d=plistlib.dumps(\(parser.expression),sort_keys=False); open(f,\"wb\").write(d)' \(file)"
        case .standardInput, .remote:
            plutil = "plutil -convert xml1 -o - -"
            python =
                "python3 -c 'import \(parser.modules); b=sys.stdin.buffer.read(); "
                + "sys.stdout.buffer.write(plistlib.dumps(\(parser.expression),sort_keys=False))'"
        }
    }

    /// A Python expression that parses the bytes `b` as a property list, and the modules that it needs. It contains no
    /// single quote, because the shell has it between single quotes.
    private static func parser(of format: PropertyListFormat) -> (modules: String, expression: String) {
        switch format {
        case .binary: ("plistlib,sys", "plistlib.loads(b)")
        case .json, .openStep:
            // plistlib does not know this form, but with other punctuation it is a Python literal.
            (
                "ast,plistlib,re,sys",
                #"(lambda s:ast.literal_eval(s if s[:1] in "{[" else "{"+s+"}"))"#
                    + #"(re.sub(r"//[^\n]*|/\*.*?\*/|(\"(?:\\.|[^\"\\])*\")|([=;()])|([\w.:/$+-]+)","#
                    + #"lambda m:m[1] or {"=":":",";":",","(":"[",")":"]"}.get(m[2]) or (m[3] and repr(m[3])) or "","#
                    + #"b.decode("utf-8-sig"),flags=re.S).strip())"#
            )
        }
    }
}
