import Program
import Testing

@Suite("Colours") struct ColourTests {
    @Test(
        "Messages are coloured on a terminal, unless the terminal or the environment says otherwise",
        arguments: [
            ([:], true), (["TERM": "xterm-256color"], true), (["TERM": "dumb"], false), (["NO_COLOR": "1"], false),
            (["NO_COLOR": ""], true), (["CLICOLOR": "0"], false), (["CLICOLOR": "1"], true),
            (["CLICOLOR": "0", "CLICOLOR_FORCE": "1"], true), (["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
        ])
    func terminal(environment: [String: String], areShown: Bool) {
        #expect(Console.Colour.auto.isShown(in: environment, onTerminal: true) == areShown)
        #expect(Console.Colour.always.isShown(in: environment, onTerminal: true))
        #expect(!Console.Colour.never.isShown(in: environment, onTerminal: true))
    }

    @Test("Messages are coloured nowhere else, unless colours are forced")
    func elsewhere() {
        #expect(!Console.Colour.auto.isShown(in: [:], onTerminal: false))
        #expect(!Console.Colour.auto.isShown(in: ["CLICOLOR": "1"], onTerminal: false))
        #expect(Console.Colour.auto.isShown(in: ["CLICOLOR_FORCE": "1"], onTerminal: false))
    }
}
