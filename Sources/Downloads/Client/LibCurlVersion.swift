internal import CLibCurl

/// The version of libcurl, and of the libraries that it uses.
package enum LibCurlVersion {
    /// The versions that are loaded: "libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13".
    package static var description: String { String(cString: curl_version()) }
}
