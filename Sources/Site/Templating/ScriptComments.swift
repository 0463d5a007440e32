internal import Foundation

/// A built-in script without its indentation and without the lines that are comments, as visitors get it. Comments
/// beside code stay. The rule holds for the built-in scripts alone: a comment ends its line, and no template literal
/// spans lines.
func withoutComments(_ script: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(script.count)
    var isInBlock = false
    for line in String(decoding: script, as: UTF8.self).split(separator: "\n") {
        let code = line.trimmingCharacters(in: .whitespaces)
        if isInBlock || code.hasPrefix("/*") {
            isInBlock = !code.hasSuffix("*/")
        } else if !code.isEmpty && !code.hasPrefix("//") {
            result += code.utf8
            result.append(UInt8(ascii: "\n"))
        }
    }
    return result
}
