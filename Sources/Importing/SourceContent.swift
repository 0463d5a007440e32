/// The content of a source: a list, or a collection.
package enum SourceContent: Sendable {
    case list(ImportedList)
    /// A collection, which lists manifests. The photos are in the manifests.
    case collection(IIIFCollection)
}
