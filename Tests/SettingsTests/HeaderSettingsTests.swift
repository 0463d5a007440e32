internal import Downloads
internal import Program
import Testing

@Suite("Headers for hosts, in the settings file") struct HeaderSettingsTests {
    private func headers(_ text: String, _ environment: [String: String] = [:]) throws(SettingsError) -> HostHeaders {
        let file = try SettingsFile(text, name: "gallerygen.yaml", known: SettingsTable.namesInFile)
        if let error = file.errors.first { throw error }
        return try file.headers.resolved(environment)
    }

    private func message(_ text: String, _ environment: [String: String] = [:]) -> String? {
        do throws(SettingsError) {
            _ = try headers(text, environment)
            return nil
        } catch {
            return error.exitCode == .settingsInvalid ? error.message : nil
        }
    }

    @Test("Each host has its own headers, and a value may come from a variable")
    func values() throws {
        let text = """
            title: Club
            headers:
              club.example:
                Authorization: Bearer ${TOKEN}
                X-Number: 42
              "http://[::1]:8080": {X-Two: "${A}-${B}$"}
            """
        let found = try headers(text, ["TOKEN": "t0ken", "A": "a", "B": "${A}"])
        #expect(
            found.lines(for: "https://club.example/a.jpg")
                == ["Authorization: Bearer t0ken", "X-Number: 42"])
        #expect(found.lines(for: "http://[::1]:8080/") == ["X-Two: a-${A}$"])
        #expect(found.lines(for: "http://[::1]/").isEmpty)
        #expect(try headers("title: Club\n").isEmpty)
    }

    @Test(
        "An invalid header is reported with its position and name, and never with its value",
        arguments: [
            (
                "headers: {club.example: {X-Token: \"s3cr3t\\r\\nX: y\"}}",
                "club.example: X-Token: its value contains a line"
            ),
            ("headers: {club.example: {X Token: s3cr3t}}", "X Token: invalid name"),
            ("headers: {club.example: {Range: s3cr3t}}", "Range: this field is set by the transfer"),
            ("headers: {https://club.example/a: {X-Token: s3cr3t}}", "X-Token: invalid host"),
            ("headers: {club.example: {X-Token: ''}}", "X-Token: it has no value"),
            ("headers: {club.example: {X-Token: '  '}}", "X-Token: it has no value"),
            ("headers: {club.example: {X-Token: 's3cr3t ${TOKEN}'}}", "'TOKEN', which is not set"),
            ("headers: {club.example: {X-Token: 's3cr3t ${TOKEN}'}}", "gallerygen.yaml:1:26: headers: "),
            ("headers: {club.example: {X-Token: 's3cr3t ${TOKEN'}}", "has no '}'"),
            ("headers: s3cr3t", "expected hosts, each with header fields"),
            ("headers: {club.example: s3cr3t}", "expected hosts"),
            ("headers: {club.example: {X-Token: [s3cr3t]}}", "expected hosts"),
        ])
    func problems(text: String, words: String) throws {
        let message = try #require(self.message(text))
        #expect(message.contains(words), "\(message)")
        #expect(message.hasPrefix("gallerygen.yaml:1:"))
        #expect(!message.contains("s3cr3t"))
    }
}
