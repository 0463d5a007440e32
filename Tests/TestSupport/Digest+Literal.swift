package import PhotoModel

/// The key of a row in the ledger is a digest. Tests write it as the text that is digested.
extension Digest: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(of: text) }
}
