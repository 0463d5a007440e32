import Gallery
import Imaging
import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("The plan of a build with earlier versions") struct VersionPlanTests {
    private let older = PhotoVersion(original: Digest(of: "older"), fetched: 4)
    private let oldest = PhotoVersion(original: Digest(of: "oldest"), fetched: 3)
    private let metadata = ImageMetadata(format: .jpeg, width: 1_200, height: 600, hasTransparency: false)

    /// A gallery whose photo "Stamp" has two versions.
    private func world(kept: Int = 2, areShown: Bool) -> PlanWorld {
        var world = PlanWorld.lakes
        world.versions = VersionOptions(kept: kept, areShown: areShown)
        return world
    }

    /// The state after a build of a world.
    private func built(_ world: PlanWorld) throws -> PlanMemory {
        var memory = try world.built()
        memory.snapshot.photos["Stamp"]?.versions = [older, oldest]
        let options = try #require(world.records { _ in nil }.first).options
        for version in [older, oldest] {
            memory.diskState.originals.insert(version.original)
            memory.snapshot.originals[version.original] = OriginalRow(
                sha256: version.original, edition: ImageMetadata.edition, format: metadata.format.rawValue,
                width: metadata.width, height: metadata.height, hasTransparency: metadata.hasTransparency)
            guard world.versions.areShown else { continue }
            let specs = DerivativeSpec.all(
                original: version.original, picture: metadata, options: options.widestAlone)
            memory.snapshot.photos["Stamp"]?.pictures += specs.map {
                PublishedPicture(
                    fileName: $0.fileName, width: $0.width, height: $0.height, bytes: 8,
                    content: .version(version.original))
            }
        }
        return memory
    }

    @Test("The plan of an unchanged gallery with versions is empty", arguments: [false, true])
    func nothing(areShown: Bool) throws {
        let world = world(areShown: areShown)
        #expect(try world.plan(after: built(world)).lines.isEmpty)
    }

    @Test("The plan says how many versions are shown or kept after their settings changed")
    func settings() throws {
        let hidden = world(areShown: false)
        let shown = world(areShown: true)
        #expect(try shown.plan(after: built(hidden)).sentences == ["Stamp: shown versions 0 → 2"])
        #expect(try hidden.plan(after: built(shown)).sentences == ["Stamp: shown versions 2 → 0"])
        let fewer = world(kept: 1, areShown: true)
        #expect(
            try fewer.plan(after: built(shown)).sentences == ["Stamp: kept versions 2 → 1, shown versions 2 → 1"])
        #expect(try fewer.plan(after: built(hidden)).sentences == ["Stamp: kept versions 2 → 1, shown versions 0 → 1"])
        #expect(
            try world(kept: 0, areShown: false).plan(after: built(hidden)).sentences == ["Stamp: kept versions 2 → 0"])
        #expect(try world(kept: 9, areShown: true).plan(after: built(shown)).lines.isEmpty)
    }

    @Test("A version without an original is not planned, and stays if its picture exists")
    func lostOriginals() throws {
        let shown = world(areShown: true)
        var memory = try built(world(areShown: false))
        memory.diskState.originals.remove(oldest.original)
        #expect(try shown.plan(after: memory).sentences == ["Stamp: shown versions 0 → 1"])
        memory = try built(shown)
        memory.diskState.originals.remove(oldest.original)
        #expect(try shown.plan(after: memory).lines.isEmpty)
    }

    @Test("A lost picture of a version is planned")
    func lostPicture() throws {
        let shown = world(areShown: true)
        var memory = try built(shown)
        let row = try #require(memory.snapshot.photos["Stamp"])
        memory.diskState.lostPictures = [try #require(row.pictures.last).fileName]
        #expect(try shown.plan(after: memory).sentences == ["Stamp: a derivative is missing"])
    }

    @Test("A changed setting of pictures is planned if it changes a picture of a version alone")
    func pictures() throws {
        var world = world(areShown: true)
        let memory = try built(world)
        // "Stamp" is 300 pixels wide, and its versions are 1,200.
        world.widths = [320, 1_000]
        world.photos.removeAll { $0.name != "Stamp" }
        #expect(try world.plan(after: memory).sentences.first == "Stamp: widths 320, 800 → 320, 1000")
        world.versions.areShown = false
        #expect(try world.plan(after: memory).sentences.first == "Stamp: shown versions 2 → 0")
    }
}
