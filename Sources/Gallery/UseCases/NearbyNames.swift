internal import Foundation
internal import Manifest

/// Finds existing paths that are similar to a missing one. Each folder is listed once, and the number of comparisons is
/// limited, because a list can have 100,000 paths that are all wrong.
final class NearbyNames {
    /// The largest number of names that are read from one folder.
    private static let maximumNames = 200_000
    private static let maximumFolders = 10_000
    /// The largest number of names that are inspected, in all folders together.
    private static let maximumLookups = 2_000_000
    private static let maximumComparisons = 100_000
    /// The length of the longest name that is compared, in bytes.
    private static let longestName = 64

    /// The names in each folder that was listed, by their folded forms (see `folded`).
    private var folders: [String: [String: String]] = [:]
    private var lookups = 0
    private var comparisons = 0

    /// - Parameter path: an absolute path without "." and "..", at which there is no file.
    /// - Returns: a similar path of an existing file; nil if there is none.
    func nearest(to path: String) -> String? {
        var found = ""
        for component in path.split(separator: "/") {
            let name = String(component)
            let exists = folders[found + "/" + name] != nil || exists(found + "/" + name)
            guard let next = exists ? name : similar(to: name, in: names(of: found)) else { return nil }
            found += "/" + next
        }
        return exists(found) ? found : nil
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func similar(to name: String, in names: [String: String]) -> String? {
        if let same = names[Self.folded(name)] { return same }
        let letters = Array(Self.folded(name).utf8)
        guard letters.count <= Self.longestName else { return nil }
        let most = min(2, letters.count / 4)
        guard most > 0 else { return nil }
        var best: (name: String, distance: Int)?
        for (folded, candidate) in names {
            lookups += 1
            guard lookups <= Self.maximumLookups, comparisons <= Self.maximumComparisons else { break }
            guard abs(folded.utf8.count - letters.count) <= most else { continue }
            comparisons += 1
            let distance = EditDistance.between(letters, Array(folded.utf8))
            guard distance <= most else { continue }
            if let best, (best.distance, best.name) <= (distance, candidate) { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    private func names(of path: String) -> [String: String] {
        if let known = folders[path] { return known }
        guard folders.count < Self.maximumFolders else { return [:] }
        var names: [String: String] = [:]
        // No names are suggested from a folder that can't be listed.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path.isEmpty ? "/" : path)) ?? [] {
            guard names.count < Self.maximumNames else { break }
            names[Self.folded(name)] = name
        }
        folders[path] = names
        return names
    }

    private static func folded(_ name: String) -> String {
        name.precomposedStringWithCanonicalMapping.lowercased()
    }
}
