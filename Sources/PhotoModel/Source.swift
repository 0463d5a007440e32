/// The address of a photo's original, in a form that can be fetched.
package struct Source: Hashable, Sendable {
    /// The location to request.
    package enum Location: Hashable, Sendable {
        /// An absolute http or https URL with all its parts. It is never shown, because it can contain secrets.
        case remote(String)
        /// An absolute path on this machine. It is never shown, because it differs between machines.
        case file(String)

        /// Two files whose names differ only in their Unicode normalisation are different files.
        package static func == (left: Location, right: Location) -> Bool {
            switch (left, right) {
            case (.remote(let left), .remote(let right)), (.file(let left), .file(let right)):
                ExactText(left) == ExactText(right)
            case (.remote, .file), (.file, .remote): false
            }
        }

        package func hash(into hasher: inout Hasher) {
            switch self {
            case .remote(let text), .file(let text): hasher.combine(ExactText(text))
            }
        }
    }

    package let location: Location
    /// The address as pages and messages show it: a URL without user, password, query and fragment, or a path as it was
    /// written.
    package let shown: String

    package init(location: Location, shown: String) {
        self.location = location
        self.shown = shown
    }

    package var isRemote: Bool {
        if case .remote = location { true } else { false }
    }

    /// The key of this address in the ledger.
    package var key: String {
        switch location {
        case .remote(let url): url
        case .file(let path): "file:" + path
        }
    }
}
