/// What the bytes of a source are.
package enum SourceContent: Sendable {
    case list(ImportedList)
    /// Its photos are in the manifests that it names.
    case collection(IIIFCollection)
}
