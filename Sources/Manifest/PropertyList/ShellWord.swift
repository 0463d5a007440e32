/// A word of a command as it is typed into a shell.
package enum ShellWord {
    /// The word itself if a shell takes it literally; otherwise the word in single quotes (POSIX.1-2017 §2.2.2).
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-_./:=,+@%".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
