import Foundation
import Gallery
import Imaging
import PhotoModel
import TestSupport
import Testing

@Suite("Photos that are finished") struct FinishedPhotoTests {
    private let gallery = TestGallery()

    /// A server that sends one picture at every address.
    private func server() throws -> ScriptedServer {
        let picture = try Data(contentsOf: URL(fileURLWithPath: TestGallery.samples + "dandelions.jpg"))
        return try ScriptedServer { _ in ScriptedResponse(200, body: Array(picture)) }
    }

    @Test("Photos whose addresses differ only in fragment or user cause one request, whichever is done first")
    func oneRequest() throws {
        let server = try server()
        let address = server.url("/photo.jpg")
        let withUser = address.replacing("http://", with: "http://me:secret@")
        for number in 0..<40 {
            gallery.entries.append(("Plain \(number)", address + (number == 0 ? "" : "#\(number)")))
        }
        gallery.entries.append(("With a user", withUser))
        #expect(try gallery.build().failed.isEmpty)
        #expect(server.targets == ["/photo.jpg"])
    }

    @Test("Photos that are new or rendered again are recorded in the ledger, and one that leaves the list is removed")
    func nothingLeft() throws {
        let server = try server()
        for number in 0..<40 { gallery.entries.append(("Photo \(number)", server.url("/\(number).jpg"))) }
        try gallery.build()
        #expect(server.targets.count == 40)
        let again = try gallery.build()
        #expect(again.rendered == 0 && again.changedNothing)
        gallery.filter = "grayscale(1)"
        #expect(try gallery.build().rendered == 1)
        let before = try gallery.published()
        gallery.entries.removeLast()
        let removed = try gallery.build().publication.removed
        #expect(removed.filter { !$0.hasPrefix("assets/") } == ["photo/photo-39.html"])
        // The names of the records file and the search index changed as well.
        let stems = removed.filter { $0.hasPrefix("assets/") }.map { $0.prefix { $0 != "." } }
        #expect(stems.sorted() == ["assets/photos", "assets/search"])
        #expect(try gallery.published().keys.contains("photo/photo-38.html"))
        #expect(before.keys.contains("photo/photo-39.html"))
    }
}
