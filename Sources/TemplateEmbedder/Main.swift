internal import Foundation

/// TemplateEmbedder TEMPLATES OUTPUT
///
/// Writes a Swift source that holds all files of a folder of templates, so that the program runs from anywhere.
@main
enum Main {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { throw EmbeddingError("usage: TemplateEmbedder TEMPLATES OUTPUT") }
        let files = try TemplateFiles(in: URL(filePath: arguments[1]))
        let (source, output) = (Data(files.source.utf8), URL(filePath: arguments[2]))
        // SwiftPM runs this again in each shell, as an environment is part of a command to it. A file that is left as
        // it was spares half a minute of compiling. One that is not there yet, or can't be read, is written.
        if (try? Data(contentsOf: output)) == source { return }
        try source.write(to: output)
    }
}

/// Why the templates can't be embedded.
struct EmbeddingError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
