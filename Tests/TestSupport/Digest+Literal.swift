package import PhotoModel

/// In tests the key of a row in the ledger, which is a digest, is written as what it is made of.
extension Digest: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(of: text) }
}
