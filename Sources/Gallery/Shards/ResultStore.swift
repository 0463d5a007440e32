internal import Foundation
internal import Ledger
internal import ObjectStore
package import PhotoModel
internal import Synchronization

/// The results of workers in a store: a record of each photo, and one of each shard that is complete.
///
/// No object is ever changed. A later result is an object of its own, whose name ends in ".2", ".3" and so on; the
/// highest number counts.
struct ResultStore: Sendable {
    let store: any SharedStore

    /// The record of a complete shard.
    struct Completion: Sendable {
        let shard: Shard
        /// The number of the record, from 1.
        let number: Int
        fileprivate let key: String
    }

    private static let photos = StoreRecords.prefix
    private static let shards = "shards/"
    /// The number of photos that are decoded at a time.
    private static let linesPerPart = 1_000
    /// More bytes than the first line of a shard's record has.
    private static let summaryBytes = 4_096

    static func key(ofPicture name: String) -> String { "images/" + name }
    static func key(ofOriginal digest: Digest) -> String { "originals/" + digest.hex }

    // MARK: Shards

    /// The latest record of each complete shard of a list.
    func completions(ofList list: String) throws(GalleryError) -> [Completion] {
        let prefix = "\(Self.shards)\(list)/"
        var latest: [Shard: Completion] = [:]
        for object in try calling({ () throws(ObjectStoreError) in try store.list(prefix) }) {
            let (name, number) = Self.parts(object.key.dropFirst(prefix.count))
            guard let shard = Shard(name: name) else { continue }
            if let known = latest[shard], known.number > number { continue }
            latest[shard] = Completion(shard: shard, number: number, key: object.key)
        }
        return latest.values.sorted { ($0.shard.count, $0.shard.index) < ($1.shard.count, $1.shard.index) }
    }

    /// The photos of a complete shard. Lines of another version are left out.
    func photos(of completion: Completion) throws(GalleryError) -> [StoredPhoto] {
        let text = try existing(completion.key)
        let lines = text.split(separator: UInt8(ascii: "\n")).dropFirst()
        // Decoding takes most of the time of a build without work, so it is done on all cores.
        let parts = stride(from: lines.startIndex, to: lines.endIndex, by: Self.linesPerPart).map {
            lines[$0..<min($0 + Self.linesPerPart, lines.endIndex)]
        }
        let decoded = Mutex([[StoredPhoto]](repeating: [], count: parts.count))
        DispatchQueue.concurrentPerform(iterations: parts.count) { index in
            let photos = parts[index].compactMap { StoredPhoto(json: $0) }
            decoded.withLock { $0[index] = photos }
        }
        var recipes: Set<String> = []
        return decoded.withLock { $0 }.joined().map { photo in photo.sharingRecipe(with: &recipes) }
    }

    func summary(of completion: Completion) throws(GalleryError) -> ShardSummary? {
        let start = try calling { () throws(ObjectStoreError) in
            try store.read(completion.key, prefix: Self.summaryBytes)
        }
        guard let text = start else { return nil }
        return ShardSummary(json: text.prefix { $0 != UInt8(ascii: "\n") })
    }

    /// Records that a shard is complete. If another worker has completed it in the meantime, the better result of each
    /// photo counts.
    /// - Parameter known: the latest record of the shard that this worker knows; nil if it knows none.
    func record(
        _ photos: [StoredPhoto], of shard: Shard, inList list: String, after known: Completion?, now: Int64
    ) throws(GalleryError) {
        var photos = photos
        var number = (known?.number ?? 0) + 1
        while true {
            let key = Self.name("\(Self.shards)\(list)/\(shard.name)", number)
            let content = try content(photos, of: shard, now: now)
            if try calling({ () throws(ObjectStoreError) in try store.create(key, content) }) { return }
            let others = try self.photos(of: Completion(shard: shard, number: number, key: key))
            // The answer to an earlier attempt was lost, or another worker has found out the same.
            if photos == others { return }
            let better = Dictionary(others.map { ($0.photo.key, $0) }, uniquingKeysWith: { first, _ in first })
            photos = photos.map { photo in
                if let other = better[photo.photo.key], !photo.supersedes(other) { other } else { photo }
            }
            number += 1
        }
    }

    private func content(_ photos: [StoredPhoto], of shard: Shard, now: Int64) throws(GalleryError) -> [UInt8] {
        do {
            var content = try ShardSummary(photos, of: shard, now: now).json
            for photo in photos { content += [UInt8(ascii: "\n")] + (try photo.json) }
            return content + [UInt8(ascii: "\n")]
        } catch {
            throw .bug(String(describing: error))
        }
    }

    // MARK: Photos

    /// The latest records of photos.
    /// - Parameters:
    ///   - keys: the ledger keys of the photos.
    ///   - known: the numbers of records that are known already. Only later ones are read.
    func photos(_ keys: Set<Digest>, after known: [Digest: Int] = [:]) throws(GalleryError) -> [Digest: StoredPhoto] {
        let latest = Mutex<[Digest: Int]>([:])
        // Parts are listed at the same time, because a server lists only 1,000 keys a request.
        let parts = store.listsNarrowly ? (0..<16).map { Self.photos + String($0, radix: 16) } : [Self.photos]
        let found = Mutex<[Digest: StoredPhoto]>([:])
        try calling { () throws(ObjectStoreError) in
            try store.forEach(parts) { (part) throws(ObjectStoreError) in
                let numbers = try store.list(part).compactMap { object -> (Digest, Int)? in
                    let (name, number) = Self.parts(object.key.dropFirst(Self.photos.count))
                    guard let key = Digest(hex: String(name)), keys.contains(key), number > known[key] ?? 0
                    else { return nil }
                    return (key, number)
                }
                latest.withLock { latest in
                    for (key, number) in numbers { latest[key] = max(latest[key] ?? 0, number) }
                }
            }
            let wanted = latest.withLock { $0 }.map { ($0.key, $0.value) }
            try store.forEach(wanted) { (wanted) throws(ObjectStoreError) in
                let (key, number) = wanted
                guard let json = try store.read(Self.name(Self.photos + key.hex, number)),
                    let photo = StoredPhoto(json: json), photo.photo.key == key
                else { return }
                found.withLock { $0[key] = photo }
            }
        }
        return found.withLock { $0 }
    }

    /// Records the result of a photo.
    /// - Parameters:
    ///   - number: the number of the photo's latest record that this worker knows; 0 if it knows none.
    ///   - recipe: the recipe by which this worker makes the photo's pictures.
    /// - Returns: the record that counts. It is that of another worker if that one was faster.
    func record(_ photo: StoredPhoto, after number: Int, recipe: String) throws(GalleryError) -> StoredPhoto {
        var photo = photo
        photo.number = number + 1
        let base = Self.photos + photo.photo.key.hex
        while true {
            let json: [UInt8]
            do { json = try photo.json } catch { throw .bug(String(describing: error)) }
            let key = Self.name(base, photo.number)
            if try calling({ () throws(ObjectStoreError) in try store.create(key, json) }) { return photo }
            // Another worker was faster, or this one did not know the latest record.
            let other = try StoredPhoto(json: existing(key))
            if let other, photo.isReplaced(by: other, recipe: recipe) { return other }
            photo.number += 1
        }
    }

    // MARK: Names and errors

    /// Reads an object that the store says it has.
    private func existing(_ key: String) throws(GalleryError) -> [UInt8] {
        try calling { () throws(ObjectStoreError) in
            guard let content = try store.read(key) else {
                throw .unexpectedResponse("an object that it says it has (\(key))")
            }
            return content
        }
    }

    private static func name(_ base: String, _ number: Int) -> String { number == 1 ? base : "\(base).\(number)" }

    private static func parts(_ name: Substring) -> (base: Substring, number: Int) {
        guard let dot = name.lastIndex(of: "."), let number = Int(name[name.index(after: dot)...]), number > 1,
            StoredPhoto.numbers.contains(number)
        else {
            return (name, 1)
        }
        return (name[..<dot], number)
    }

    /// Runs requests to the store, and names the store in their errors.
    func calling<Value>(_ work: () throws(ObjectStoreError) -> Value) throws(GalleryError) -> Value {
        do throws(ObjectStoreError) { return try work() } catch { throw failure(error) }
    }

    func failure(_ error: ObjectStoreError) -> GalleryError {
        error == .interrupted ? .interrupted : .store(shown: store.shown, error)
    }
}

/// The first line of the record of a complete shard: what people and `gallerygen shards` want to know of it.
package struct ShardSummary: Codable, Hashable, Sendable {
    /// The shard, such as "3-of-8".
    let shard: String
    /// The time at which the shard was completed.
    package let completed: Timestamp
    package let photos: Int
    package let failed: Int

    init(_ photos: [StoredPhoto], of shard: Shard, now: Int64) {
        self.shard = shard.name
        completed = Timestamp(seconds: now)
        self.photos = photos.count
        failed = photos.count { $0.photo.state == .failed }
    }

    init?(json: some Sequence<UInt8>) {
        // A summary of a later version has perhaps other values. The shard is complete all the same.
        guard let summary = try? JSONDecoder().decode(ShardSummary.self, from: Data(json)) else { return nil }
        self = summary
    }

    var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return [UInt8](try encoder.encode(self))
        }
    }
}

extension StoredPhoto {
    /// The same record, whose recipe shares its memory with equal ones.
    fileprivate func sharingRecipe(with recipes: inout Set<String>) -> StoredPhoto {
        guard let recipe = photo.recipe else { return self }
        var shared = self
        shared.photo.recipe = recipes.insert(recipe).memberAfterInsert
        return shared
    }
}
