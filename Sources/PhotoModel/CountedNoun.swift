/// Returns a number with its noun for an English message: "1 photo", "2 photos".
///
/// - Parameters:
///   - noun: the singular of a noun whose plural ends in "s".
package func counted(_ number: some BinaryInteger, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
}
