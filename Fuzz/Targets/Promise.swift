/// Ends the run with `words` where a promise is broken.
func promise(_ isKept: Bool, _ words: @autoclosure () -> String) {
    if !isKept { brokenPromise(words()) }
}

/// Ends the run, which libFuzzer takes for a finding. Optimised code prints no words of a `precondition`.
func brokenPromise(_ words: String) -> Never { fatalError(words) }
