import Manifest
import PhotoModel

/// Short functions to read property lists that are written in a test.
enum Reading {
    static let local = ManifestOrigin.file(path: "/galleries/club/photos.plist", shown: "photos.plist")
    static let remote = ManifestOrigin.remote(
        url: "http://me:secret@example.org/lists/photos.plist?key=1#top", shown: "http://example.org/lists/photos.plist"
    )

    /// The manifest whose property list has this value, which starts on line 4.
    static func manifest(_ value: String, origin: ManifestOrigin = local) throws(ManifestError) -> Manifest {
        try ManifestReader(origin: origin).read(GeneratedManifests.plist(value))
    }

    /// A list of one photo with this address, which must not need escaping.
    static func photo(address: String, origin: ManifestOrigin = local) throws -> ManifestPhoto {
        try manifest("<dict><key>Lake</key><string>\(address)</string></dict>", origin: origin).photos[0]
    }

    /// A list of one photo that has these keys as well as a name and an address.
    static func entry(_ fields: String) throws -> Manifest {
        try manifest(
            "<array><dict><key>name</key><string>Lake</string><key>url</key><string>lake.jpg</string>\(fields)"
                + "</dict></array>"
        )
    }

    /// A list of photos in the form of a dict of names and addresses.
    static func photos(_ entries: [(name: String, address: String)]) throws -> [ManifestPhoto] {
        let dicts = entries.map {
            "<dict><key>name</key><string>\($0.name)</string><key>url</key><string>\($0.address)</string></dict>"
        }
        return try manifest("<array>\(dicts.joined())</array>").photos
    }
}

extension ManifestPhoto {
    var location: Source.Location? {
        if case .success(let source) = source { source.location } else { nil }
    }

    var failureCode: ReasonCode? {
        if case .failure(let failure) = source { Reason(failure).code } else { nil }
    }
}
