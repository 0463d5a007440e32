/// Reports a finding with `message` if the condition is false.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { reportFinding(message()) }
}

/// Crashes, because libFuzzer records the input of a crash as a finding. `precondition` would not print its message in
/// optimised code.
func reportFinding(_ message: String) -> Never { fatalError(message) }
