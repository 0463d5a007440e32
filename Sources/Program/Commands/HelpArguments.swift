internal import ArgumentParser

/// The arguments of `gallerygen help COMMAND`. For an unknown command, ArgumentParser would show the help of the
/// program and exit with 0.
struct HelpArguments {
    private let words: [String]

    /// - Parameter arguments: the arguments of the command line, without the program's name.
    init(_ arguments: some Sequence<String>) { words = Array(arguments) }

    /// - Throws: `CommandFailure` for an unknown command.
    func check() throws(CommandFailure) {
        guard words.first == "help", let name = words.dropFirst().first(where: { !$0.hasPrefix("-") }) else { return }
        var known = ["help"]
        for command in Gallerygen.configuration.subcommands where command.configuration.shouldDisplay {
            if let name = command.configuration.commandName { known.append(name) }
        }
        guard !known.contains(name) else { return }
        let nearest = NearestName.find(name, in: known).map { "did you mean '\($0)'? " } ?? ""
        throw CommandFailure(
            .usage, "there is no command '\(name)'; \(nearest)The commands are \(known.joined(separator: ", "))")
    }
}
