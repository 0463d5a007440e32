/// A value on the heap that all copies share; a change makes a new value. A dictionary stores its values inline and
/// reserves their size even for empty slots, and several collections hold the rows of a large gallery.
///
/// Reading a field through a key path takes about 100 ns. Loops over all photos read `value` once instead.
@dynamicMemberLookup
package struct Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline final class Storage: Sendable {
        @usableFromInline let value: Value

        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    package init(_ value: Value) { storage = Storage(value) }

    /// The value. It is inlinable, so that a caller can read one field without a copy of all fields.
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
