/// The value of --report: which of the photos that need attention the summary of a build lists.
package enum ListedProblems: String, CaseIterable, Sendable {
    case all
    case new
}
