import Manifest
import PhotoModel
import TestSupport
import Testing

/// Slugs, which the addresses of pages are made of.
@Suite struct SlugTests {
    private func slugs(_ names: [String], remembered: [PhotoIdentity: String] = [:]) throws -> [String] {
        Slugs.assign(try Reading.photos(names.map { ($0, "lake.jpg") }), remembered: remembered)
    }

    @Test(
        "A unique name gives a readable slug",
        arguments: [
            ("Blue Lake", "blue-lake"), ("  --Blue__Lake!! ", "blue-lake"), ("Tom’s boat", "toms-boat"),
            ("Crème Brûlée", "creme-brulee"), ("Cre\u{300}me Bru\u{302}le\u{301}e", "creme-brulee"),
            ("Straße ÆØÅ œuvre Łódź", "strasse-aeoa-oeuvre-lodz"), ("İstanbul ı ẞ", "istanbul-i-ss"),
            ("ǅ Việt Nam ŉ", "dz-viet-nam"), ("Ｆｕｌｌ　１", "full-1"), ("Москва, река", "moskva-reka"),
            ("Αθήνα", "athina"), ("C++ 100%", "c-100"), ("..", nil), ("日本", nil), ("🙂", nil), ("-", nil),
            ("CON", "photo-con"), ("com1", "photo-com1"), ("index", "photo-index"), ("aux.txt", "aux-txt"),
            ("../../etc/passwd", "etc-passwd"), ("status.json", "status-json"), ("1", "1"),
        ])
    func text(_ name: String, slug: String?) throws {
        let found = try slugs([name])[0]
        if let slug { #expect(found == slug) } else { #expect(found.wholeMatch(of: /photo-[0-9a-f]{8}/) != nil) }
    }

    @Test("Names that read the same all get a hash, and the order in the file changes nothing")
    func collisions() throws {
        let names = ["Blue Lake", "blue lake", "Blue-Lake", "Blüe Lake", "Red Lake"]
        let forward = try slugs(names)
        #expect(Set(forward).count == names.count)
        #expect(forward.dropLast().allSatisfy { $0.wholeMatch(of: /blue-lake-[0-9a-f]{8}/) != nil })
        #expect(forward.last == "red-lake")
        #expect(try slugs(names.reversed()) == forward.reversed())
    }

    @Test("Two photos whose short hashes collide both get longer ones")
    func hashClash() throws {
        // Both digests begin with 2b881e26, a collision that a search of 76,917 names found.
        let clash = try slugs(["あぃぉき", "あきてあ", "日本"])
        #expect(clash[0].hasPrefix("photo-2b881e26") && clash[0].utf8.count == 22)
        #expect(clash[1].hasPrefix("photo-2b881e26") && clash[1].utf8.count == 22)
        #expect(clash[0] != clash[1])
        #expect(clash[2].utf8.count == 14)
    }

    @Test("A recorded slug stays when names that read the same come, and when they go")
    func remembered() throws {
        let before = try Reading.photos([("Lake", "1.jpg")])
        let first = Slugs.assign(before, remembered: [:])
        #expect(first == ["lake"])
        let memory = [before[0].identityByName: "lake", before[0].identityWithSource: "lake"]

        let together = try Reading.photos([("LAKE", "2.jpg"), ("Lake", "3.jpg"), ("Lake", "1.jpg")])
        let second = Slugs.assign(together, remembered: memory)
        #expect(second[2] == "lake")
        #expect(Set(second).count == 3)

        var all = memory
        for (photo, slug) in zip(together, second) { all[photo.identityWithSource] = slug }
        let alone = try Reading.photos([("Lake", "3.jpg")])
        #expect(Slugs.assign(alone, remembered: all) == [second[1]])
    }

    @Test("The slug of a photo of an earlier build is given to no other")
    func gone() throws {
        let gone = PhotoIdentity(album: [], name: "Lake", addressKey: nil)
        let slug = try slugs(["lake!"], remembered: [gone: "lake"])[0]
        #expect(slug.wholeMatch(of: /lake-[0-9a-f]{8}/) != nil)
    }

    @Test("A changed address does not change the slug of a unique name")
    func newAddress() throws {
        let old = try Reading.photos([("日本", "1.jpg")])
        let slug = Slugs.assign(old, remembered: [:])[0]
        let new = try Reading.photos([("日本", "2.jpg")])
        #expect(Slugs.assign(new, remembered: [old[0].identityByName: slug]) == [slug])
    }

    @Test(
        "A recorded slug that could leave its folder, or is claimed twice, is not used",
        arguments: ["../x", "a/b", "", "A", "con", "-x", String(repeating: "x", count: 81)])
    func badMemory(_ slug: String) throws {
        let lake = PhotoIdentity(album: [], name: "Lake", addressKey: nil)
        #expect(try slugs(["Lake"], remembered: [lake: slug]) == ["lake"])
        let tea = PhotoIdentity(album: [], name: "Tea", addressKey: nil)
        #expect(Set(try slugs(["Lake", "Tea"], remembered: [lake: "same", tea: "same"])) == ["lake", "tea"])
    }

    @Test("The slugs of any names differ, are safe in file names and URLs, and fit in 80 bytes")
    func properties() throws {
        var random = SeededRandom(seed: 20_240_601)
        let alphabet = Array("aAbB01 -_./\\%~#?é日🙂ßİ'’\u{301}")
        for _ in 0..<200 {
            let names = (0..<20).map { _ in
                let length = Int.random(in: 1...(Bool.random(using: &random) ? 4 : 120), using: &random)
                return String((0..<length).map { _ in alphabet[Int.random(in: alphabet.indices, using: &random)] })
            }
            let photos = try Reading.photos(names.map { ($0, "lake.jpg") })
            let slugs = Slugs.assign(photos, remembered: [:])
            #expect(Set(slugs).count == photos.count, "\(names)")
            for slug in slugs {
                #expect(slug.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(slug)")
                #expect((1...80).contains(slug.utf8.count))
            }
            let shuffled = photos.shuffled(using: &random)
            let again = Dictionary(
                uniqueKeysWithValues: zip(
                    shuffled.map(\.identityWithSource), Slugs.assign(shuffled, remembered: [:])))
            #expect(photos.map { again[$0.identityWithSource] } == slugs)
        }
    }

    @Test("Album slugs are made of the whole path, and differ for paths that read the same")
    func albums() {
        let albums = [["Animals"], ["Animals", "Birds"], ["Animals-Birds"], ["日本"], ["Cafe\u{301}"], ["Café"]]
        let slugs = Slugs.assignAlbums(albums, remembered: [AlbumIdentity(["Animals"]): "tiere"])
        #expect(slugs.count == 6)
        #expect(Set(slugs.values).count == 6)
        #expect(slugs[AlbumIdentity(["Animals"])] == "tiere")
        #expect(slugs[AlbumIdentity(["Animals", "Birds"])]?.wholeMatch(of: /animals-birds-[0-9a-f]{8}/) != nil)
        #expect(slugs[AlbumIdentity(["日本"])]?.wholeMatch(of: /album-[0-9a-f]{8}/) != nil)
    }
}
