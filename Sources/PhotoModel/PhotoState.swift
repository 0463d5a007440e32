/// The state of a photo. The raw values are part of status.json and of the ledger.
package enum PhotoState: String, Codable, CaseIterable, Sendable {
    /// Known from the manifest; nothing has been fetched yet.
    case new
    /// The original is stored; no filter was asked for.
    case downloaded
    /// All derivatives have been made.
    case filtered
    /// Something went wrong; a reason says what.
    case failed
}
