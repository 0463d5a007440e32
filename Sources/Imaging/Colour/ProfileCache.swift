internal import Synchronization

/// A cache of profiles that turned out to be sRGB under some name. That takes milliseconds to find out, and the photos
/// of one camera or one program usually share a profile.
final class ProfileCache: Sendable {
    static let ofSRGB = ProfileCache()

    /// The limits keep the cache below half a megabyte.
    private static let maxProfiles = 32
    private static let maxBytes = 16 << 10

    private let profiles = Mutex<Set<[UInt8]>>([])

    func contains(_ profile: [UInt8]) -> Bool {
        profile.count <= Self.maxBytes && profiles.withLock { $0.contains(profile) }
    }

    /// Adds a profile if the cache is not full.
    func add(_ profile: [UInt8]) {
        guard profile.count <= Self.maxBytes else { return }
        profiles.withLock { if $0.count < Self.maxProfiles { $0.insert(profile) } }
    }
}
