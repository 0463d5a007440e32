/// A value that lies once on the heap, however many copies of it there are: a change makes a new one. Dictionaries hold
/// values inline, also in the places that are free, and several collections hold the rows of a large gallery.
///
/// A field that is read through a key path takes some 100 ns. Loops over all photos read `value` once instead.
@dynamicMemberLookup
package struct Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline final class Storage: Sendable {
        @usableFromInline let value: Value

        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    package init(_ value: Value) { storage = Storage(value) }

    /// Inlinable, so that one field of it is read without a copy of all.
    @inlinable package var value: Value { storage.value }

    package subscript<Field>(dynamicMember field: KeyPath<Value, Field>) -> Field { storage.value[keyPath: field] }

    package subscript<Field>(dynamicMember field: WritableKeyPath<Value, Field>) -> Field {
        get { storage.value[keyPath: field] }
        set {
            var value = storage.value
            value[keyPath: field] = newValue
            storage = Storage(value)
        }
    }

    package static func == (left: Shared, right: Shared) -> Bool {
        left.storage === right.storage || left.storage.value == right.storage.value
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(storage.value) }
}
