/// Ends the run with `words` where a promise is broken: optimised code prints no words of a `precondition`.
func promise(_ isKept: Bool, _ words: @autoclosure () -> String) {
    if !isKept { fatalError(words()) }
}
