internal import Downloads
internal import Imaging
internal import Ledger
internal import Manifest

/// The versions of the libraries that the program has loaded.
package enum LoadedLibraries {
    /// The names and versions of the libraries, a line for each group.
    package static var descriptions: [String] {
        [
            LibCurlVersion.description, "\(LibXML2Version.description), \(SQLiteVersion.description)",
            ImagingVersion.libraries,
        ]
    }
}
