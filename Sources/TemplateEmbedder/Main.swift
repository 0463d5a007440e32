internal import Foundation

/// TemplateEmbedder TEMPLATES OUTPUT
///
/// Writes a Swift source file that contains all files of a folder of templates, so that the program runs from anywhere.
@main
enum Main {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { throw EmbeddingError("usage: TemplateEmbedder TEMPLATES OUTPUT") }
        let files = try TemplateFiles(in: URL(filePath: arguments[1]))
        let (source, output) = (Data(files.source.utf8), URL(filePath: arguments[2]))
        // SwiftPM runs this command again in each shell, because it considers the environment a part of the command. An
        // unchanged file is not written again, which saves half a minute of compilation. A file that doesn't exist or
        // can't be read is written.
        if (try? Data(contentsOf: output)) == source { return }
        try source.write(to: output)
    }
}

/// Why the templates can't be embedded.
struct EmbeddingError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
