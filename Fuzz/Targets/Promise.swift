/// Ends the run with `words` where a promise is broken.
func promise(_ isKept: Bool, _ words: @autoclosure () -> String) {
    if !isKept { brokenPromise(words()) }
}

/// Ends the process on purpose: libFuzzer records a crash as a finding, with the input that led to it. `precondition`
/// would not print its message in optimised code.
func brokenPromise(_ words: String) -> Never { fatalError(words) }
