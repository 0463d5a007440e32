internal import CLibXML2

/// The version of libxml2.
package enum LibXML2Version {
    /// "libxml2 20914": the one that is loaded.
    package static var description: String { "libxml2 \(String(cString: gallerygen_libxml2_version()))" }
}
