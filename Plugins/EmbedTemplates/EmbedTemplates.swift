import Foundation
import PackagePlugin

/// Runs `TemplateEmbedder`, which writes a Swift source file of all files in Templates/, whenever one of them changes.
@main
struct EmbedTemplates: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let templates = context.package.directoryURL.appending(path: "Templates")
        let files = try FileManager.default.subpathsOfDirectory(atPath: templates.path).sorted()
            .map { templates.appending(path: $0) }
        let source = context.pluginWorkDirectoryURL.appending(path: "EmbeddedTemplates.swift")
        return [
            .buildCommand(
                displayName: "Embedding Templates/",
                executable: try context.tool(named: "TemplateEmbedder").url,
                arguments: [templates.path, source.path],
                inputFiles: files,
                outputFiles: [source])
        ]
    }
}
