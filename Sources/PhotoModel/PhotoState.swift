/// The state of a photo. The raw values are part of status.json and of the ledger.
package enum PhotoState: String, Codable, CaseIterable, Sendable {
    /// The photo is known from the manifest, and nothing has been downloaded yet.
    case new
    /// The original is stored, and there is no filter to apply.
    case downloaded
    /// All derivatives have been rendered.
    case filtered
    /// The photo failed, and has a reason.
    case failed
}
