/// A value on the heap that all copies share; a change makes a new value. A dictionary stores its values inline and
/// reserves their size even for empty slots, and several collections hold the rows of a large gallery.
///
/// Its accessors are inlinable, because the compiler replaces a key path by the field itself only where it sees both.
/// Otherwise each access would evaluate the key path at run time, which takes about 100 ns.
@dynamicMemberLookup
package struct Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline final class Storage: Sendable {
        @usableFromInline let value: Value

        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    package init(_ value: Value) { storage = Storage(value) }

    @inlinable package var value: Value { storage.value }

    @inlinable @inline(__always) package subscript<Field>(dynamicMember field: KeyPath<Value, Field>) -> Field {
        storage.value[keyPath: field]
    }

    package subscript<Field>(dynamicMember field: WritableKeyPath<Value, Field>) -> Field {
        @inlinable @inline(__always) get { storage.value[keyPath: field] }
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

/// The value alone.
extension Shared: Codable where Value: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Value.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
