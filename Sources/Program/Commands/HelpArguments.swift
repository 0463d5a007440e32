internal import ArgumentParser

/// `gallerygen help COMMAND`, for which the parser shows the help of the program where there is no such command.
struct HelpArguments {
    private let words: [String]

    /// - Parameter arguments: of the command line, without the program's name.
    init(_ arguments: some Sequence<String>) { words = Array(arguments) }

    /// - Throws: `CommandFailure` for a command that there is none of.
    func check() throws(CommandFailure) {
        guard words.first == "help", let name = words.dropFirst().first(where: { !$0.hasPrefix("-") }) else { return }
        var known = ["help"]
        for command in Gallerygen.configuration.subcommands {
            if let name = command.configuration.commandName { known.append(name) }
        }
        guard !known.contains(name) else { return }
        let nearest = NearestName.find(name, in: known).map { "did you mean '\($0)'? " } ?? ""
        throw CommandFailure(
            .usage, "there is no command '\(name)'; \(nearest)The commands are \(known.joined(separator: ", "))")
    }
}
