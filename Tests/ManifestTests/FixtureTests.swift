import Foundation
import Manifest
import PhotoModel
import Testing

/// All manifests with known outcomes.
@Suite struct FixtureTests {
    @Test(
        "A valid manifest gives the expected photos, albums and warnings", arguments: Expectation.accepted
    )
    func accepted(_ expected: Expectation) throws {
        let manifest = try Fixtures.read(expected.name)
        if let count = expected.photos { #expect(manifest.photos.count == count) }
        if let names = expected.names {
            #expect(manifest.photos.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
        }
        if let albums = expected.albums { #expect(manifest.albums == albums) }
        for word in expected.warnings ?? [] {
            #expect(manifest.warnings.contains { $0.description.contains(word) }, "a warning of \(word)")
        }
        if let distinct = expected.slugsDistinct {
            #expect(Set(Slugs.assign(manifest.photos, remembered: [:])).count == distinct)
        }
        #expect(Set(manifest.identities()).count == manifest.photos.count)
    }

    @Test("Invalid addresses fail their photo alone, with the expected reason", arguments: Expectation.accepted)
    func failures(_ expected: Expectation) throws {
        let known: Set<ReasonCode> = [.badAddress, .unsupportedScheme]
        let wanted = (expected.failed ?? [:]).filter { known.contains($0.value) }
        var found: [String: ReasonCode] = [:]
        for photo in try Fixtures.read(expected.name).photos {
            if case .failure(let failure) = photo.source { found[photo.name] = Reason(failure).code }
        }
        // The control character may be found here or when the photo is fetched, as the note on this fixture says.
        if expected.name == "bad-addresses.plist" { found["Control character"] = nil }
        #expect(found == wanted)
    }

    @Test("An invalid manifest is refused at the expected position", arguments: Expectation.refused)
    func refused(_ expected: Expectation) throws {
        let start = ContinuousClock.now
        let error = try #require(throws: ManifestError.self) { try Fixtures.read(expected.name) }
        if let limit = expected.maxSeconds { #expect(start.duration(to: .now) < .seconds(limit)) }
        let positions = error.diagnostics.map(\.position)
        for line in expected.lines ?? expected.line.map({ [$0] }) ?? [] {
            #expect(positions.contains { abs($0.line - line) <= 1 }, "line \(line) in: \(error)")
        }
        #expect(positions.allSatisfy { $0.file == expected.name && $0.line >= 1 && $0.column >= 1 })
        for secret in expected.never ?? [] { #expect(!error.description.contains(secret)) }
    }

    @Test(
        "Pages and messages contain nothing of a bait file or a secret",
        arguments: Expectation.accepted)
    func secrets(_ expected: Expectation) throws {
        let manifest = try Fixtures.read(expected.name)
        let shown = manifest.photos.flatMap { [$0.name, $0.shownSource] } + manifest.warnings.map(\.description)
        for secret in expected.never ?? [] { #expect(!shown.contains { $0.contains(secret) }) }
    }
}
