internal import CLibXML2

/// The version of libxml2.
package enum LibXML2Version {
    /// The version that is loaded: "libxml2 20914".
    package static var description: String { "libxml2 \(String(cString: gallerygen_libxml2_version()))" }
}
