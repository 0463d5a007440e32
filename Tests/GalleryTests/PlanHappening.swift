import Downloads
import Gallery
import Ledger
import PhotoModel
import TestSupport
import Testing

/// A case of the plan's tests: it changes the ledger or the disk, and `sentences` is the whole plan that follows.
struct PlanHappening: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let apply: @Sendable (inout PlanWorld, inout PlanMemory) throws -> Void
    let sentences: [String]

    init(
        _ name: String, _ sentences: [String],
        _ apply: @escaping @Sendable (inout PlanWorld, inout PlanMemory) throws -> Void
    ) {
        testDescription = name
        self.sentences = sentences
        self.apply = apply
    }
}

private func source(_ world: PlanWorld, _ index: Int) throws -> Digest {
    try #require(world.records { _ in nil }[index].sourceKey)
}

extension PlanHappening {
    static let all: [PlanHappening] = [
        PlanHappening("a photo is new", ["Lighthouse: new"]) { $1.snapshot.photos["Lighthouse"] = nil },
        PlanHappening(
            "a server's leave has ended",
            [
                "Lighthouse: not checked since 2027-01-15T07:59:50Z, revalidating",
                "Stamp: not checked since 2027-01-15T07:59:50Z, revalidating",
            ]
        ) { world, _ in world.now += 3_601 },
        PlanHappening(
            "the clock was set back",
            [
                "Lighthouse: not checked since 2027-01-15T07:59:50Z, revalidating",
                "Stamp: not checked since 2027-01-15T07:59:50Z, revalidating",
            ]
        ) { world, _ in world.now -= 86_400 },
        PlanHappening(
            "a change is overdue",
            [
                "Lighthouse: not changed since 2027-01-15T07:59:50Z, which is longer than expected, revalidating",
                "Stamp: not changed since 2027-01-15T07:59:50Z, which is longer than expected, revalidating",
                "Leaf: frozen since 2027-01-15T07:59:50Z: The picture was expected to change within 10 s, but is "
                    + "still the same.",
            ]
        ) { world, _ in world.expectedChange = .within(seconds: 10) },
        PlanHappening("a change is not overdue yet", []) { world, _ in
            world.expectedChange = .within(seconds: 11)
        },
        PlanHappening("a frozen photo is no longer expected to change", ["Stamp: no longer frozen"]) { _, memory in
            memory.snapshot.photos["Stamp"]?.marks = [.frozen(since: Timestamp(seconds: 5), expectedWithin: 9)]
        },
        PlanHappening("the last try failed", ["Stamp: the last attempt failed (not-found), trying again"]) {
            _, memory in
            memory.snapshot.photos["Stamp"]?.state = .failed
            memory.snapshot.photos["Stamp"]?.reason = Reason(.notFound(status: 404))
            memory.snapshot.photos["Stamp"]?.sha256 = nil
        },
        PlanHappening("a picture is stale", ["Stamp: could not be refreshed (timeout), trying again"]) { _, memory in
            memory.snapshot.photos["Stamp"]?.stale = StaleMark(since: 5, reason: Reason(.timeout(seconds: 5)))
        },
        PlanHappening("an address changed", ["Stamp: the address changed"]) { world, _ in
            world.photos[1].location = .remote("https://example.org/other.jpg")
        },
        PlanHappening("a file changed", ["Leaf: the file changed"]) { _, memory in
            memory.diskState.stamps[.file("/photos/leaf.png")]?.changedNanoseconds += 1
        },
        PlanHappening("a file is gone", ["Leaf: the file is gone"]) { $1.diskState.stamps = [:] },
        PlanHappening("a file was too young", ["Leaf: the file was very new when it was read, checking it again"]) {
            $1.snapshot.sources[try source($0, 2)]?.fileStamp = nil
        },
        PlanHappening("a derivative is missing", ["Stamp: a derivative is missing"]) { _, memory in
            let row = try #require(memory.snapshot.photos["Stamp"])
            memory.diskState.lostPictures = [try #require(row.pictures.first).fileName]
        },
        PlanHappening("an original is missing", ["Leaf: the original is missing from the store"]) {
            $1.diskState.originals.remove(PlanWorld.original("Leaf"))
        },
        PlanHappening("the encoder changed", ["Leaf: the encoder changed"]) { _, memory in
            // The old derivatives had other names.
            try memory.remake("Leaf") { $0.replacing("imaging/", with: "imaging/0") }
        },
        PlanHappening(
            "it is not known how derivatives were made",
            [
                "Leaf: the settings of its derivatives are unknown"
            ]
        ) { try $1.remake("Leaf") { _ in nil } },
        PlanHappening(
            "another original was downloaded and not shown",
            [
                "Stamp: the last download has not been published yet"
            ]
        ) { world, memory in
            let key = try source(world, 1)
            let old = try #require(memory.snapshot.sources[key])
            memory.snapshot.sources[key] = SourceRow(
                key: key, sha256: Digest(of: "newer"), bytes: 6, validated: old.validated, freshUntil: old.freshUntil)
        },
        PlanHappening("nothing was published", ["pages: nothing has been published here before"]) { $1.site = nil },
        PlanHappening("a publication was interrupted", ["pages: their inputs are unknown"]) {
            $1.site?.inputs = nil
        },
        PlanHappening("photos changed since", ["pages: photos have changed"]) {
            $1.snapshot.revision += 1
        },
        PlanHappening("files of the site are gone", ["feed.xml: missing or damaged", "index.html: missing or damaged"])
        {
            $1.diskState.damaged = ["index.html", "feed.xml"]
        },
        PlanHappening("a photo left the list", ["photo/gone.html: no longer in the list"]) {
            $1.snapshot.photos["Gone"] = PhotoRow(
                key: "Gone", slug: "gone", state: .filtered, since: 5, checked: 5)
        },
        PlanHappening("a photo has another key, and keeps its page", []) {
            $1.snapshot.photos["Elsewhere"] = PhotoRow(
                key: "Elsewhere", slug: try #require($1.snapshot.photos["Stamp"]).slug, state: .filtered, since: 5,
                checked: 5)
        },
        PlanHappening("a killed build left files", ["site: an interrupted build left temporary files"]) {
            $1.diskState.hasTemporaryFolders = true
        },
    ]
}

extension PlanMemory {
    /// Changes the ledger as if the photo's derivatives had been made by another recipe, and so had other names.
    fileprivate mutating func remake(_ name: String, by recipe: (String) -> String?) throws {
        let row = try #require(snapshot.photos[Digest(of: name)])
        let renamed = row.pictures.map {
            PublishedPicture(
                fileName: "other-" + $0.fileName, width: $0.width, height: $0.height, bytes: $0.bytes,
                isUnfiltered: $0.isUnfiltered)
        }
        snapshot.photos[Digest(of: name)]?.pictures = renamed
        snapshot.photos[Digest(of: name)]?.recipe = row.recipe.flatMap(recipe)
    }
}
