/// A value that lies once on the heap, however many copies of it there are: a change makes a new one. Dictionaries hold
/// values inline, also in the places that are free, and several collections hold the rows of a large gallery.
///
/// Its members are inlined into other modules: each access would else go through a key path at run time.
@dynamicMemberLookup
package struct Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline final class Storage: Sendable {
        @usableFromInline let value: Value

        @inlinable init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    @inlinable package init(_ value: Value) { storage = Storage(value) }

    @inlinable package var value: Value { storage.value }

    @inlinable package subscript<Field>(dynamicMember field: KeyPath<Value, Field>) -> Field {
        storage.value[keyPath: field]
    }

    @inlinable package subscript<Field>(dynamicMember field: WritableKeyPath<Value, Field>) -> Field {
        get { storage.value[keyPath: field] }
        set {
            var value = storage.value
            value[keyPath: field] = newValue
            storage = Storage(value)
        }
    }

    @inlinable package static func == (left: Shared, right: Shared) -> Bool {
        left.storage === right.storage || left.storage.value == right.storage.value
    }

    @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(storage.value) }
}
