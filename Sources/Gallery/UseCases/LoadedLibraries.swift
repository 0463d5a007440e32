internal import Downloads
internal import Imaging
internal import Ledger
internal import Manifest

/// The libraries that are loaded, with their versions.
package enum LoadedLibraries {
    /// A line for each module that has some.
    package static var descriptions: [String] {
        [
            LibCurlVersion.description, "\(LibXML2Version.description), \(SQLiteVersion.description)",
            ImagingVersion.libraries,
        ]
    }
}
