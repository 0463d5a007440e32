/// The mistakes in the settings of a gallery. A default replaces each wrong value, so that one run finds all mistakes.
struct SettingsProblems {
    private(set) var errors: [SettingsError] = []

    mutating func add(_ errors: [SettingsError]) { self.errors += errors }

    /// - Parameter fallback: the value to use if there is a mistake.
    mutating func value<Value>(
        or fallback: @autoclosure () -> Value, _ resolve: () throws(SettingsError) -> Value
    ) -> Value {
        do throws(SettingsError) {
            return try resolve()
        } catch {
            errors.append(error)
            return fallback()
        }
    }
}
