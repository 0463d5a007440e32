internal import ArgumentParser
internal import Manifest

/// The command that a command line names. For an unknown command, ArgumentParser would suggest none, and `gallerygen
/// help nosuch` would show the help of the program and exit with 0.
struct CommandName {
    private let words: [String]

    /// - Parameter arguments: the arguments of the command line, without the program's name.
    init(_ arguments: some Sequence<String>) { words = Array(arguments) }

    /// - Throws: `CommandFailure` for an unknown command.
    func check() throws(CommandFailure) {
        let isHelp = words.first == "help"
        guard let name = isHelp ? words.dropFirst().first(where: { !$0.hasPrefix("-") }) : words.first,
            !name.hasPrefix("-")
        else { return }
        let commands = Gallerygen.configuration.subcommands.map { $0.configuration }
        let shown = ["help"] + commands.filter(\.shouldDisplay).compactMap(\.commandName)
        guard !(isHelp ? shown : shown + commands.compactMap(\.commandName)).contains(name) else { return }
        let list = "commands are \(shown.joined(separator: ", "))"
        let hint = NearestName.find(name, in: shown).map { "did you mean '\($0)'? The \(list)" } ?? "the \(list)"
        // A mistyped argument can contain a password.
        throw CommandFailure(.usage, ShownAddress.message("there is no command '\(name)'; \(hint)"))
    }
}
