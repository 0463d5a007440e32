import PhotoModel
import Site
import Synchronization
import Testing

@Suite("Pages that are not rendered again")
struct PageKeyTests {
    /// The keys of the pages that have one, and the bytes of every page, both by path.
    private static func render(
        _ content: SiteContent, known: [String: Digest] = [:], _ templates: TemplateSet? = nil
    ) throws -> (keys: [String: Digest], bytes: [String: [UInt8]], unchanged: Set<String>) {
        let renderer = try SiteRenderer(content: content, templates: templates ?? TemplateSet())
        var (keys, bytes, unchanged): ([String: Digest], [String: [UInt8]], Set<String>) = ([:], [:], [])
        renderer.outputs(known: known) { output in
            switch output {
            case .file(let file, let key):
                keys[file.path] = key
                bytes[file.path] = file.bytes
            case .stream(let stream): bytes[stream.path] = stream.collected.bytes
            case .unchanged(let paths), .kept(let paths): unchanged.formUnion(paths)
            case .prepared: Issue.record("no file is prepared here")
            }
        }
        return (keys, bytes, unchanged)
    }

    @Test("A site whose photos are rendered one by one has the same files as one that holds them all")
    func madePhotos() throws {
        var made = Sample.everything
        let held = Sample.everything.photos
        made.photos = SitePhotos(count: held.count) { held[$0] }
        let (one, other) = (try Self.render(Sample.everything), try Self.render(made))
        #expect(one.bytes == other.bytes)
        #expect(one.keys == other.keys)
        #expect(made.digest == Sample.everything.digest)
    }

    @Test("A photo is converted once for digests, status.json and the search list, unless a page or the feed shows it")
    func conversions() throws {
        let conversions = Mutex<[Int: Int]>([:])
        var content = Sample.everything
        let photos = (0..<200).map { Sample.photo("Photo \($0)") }
        content.photos = SitePhotos(photos)
        let expected = try Self.render(content)
        let known = expected.keys.filter { !$0.key.hasPrefix("assets/search.") }
        #expect(known.count == expected.keys.count - 1)
        content.photos = SitePhotos(count: photos.count) { index in
            conversions.withLock { $0[index, default: 0] += 1 }
            return photos[index]
        }
        let outline = SiteOutline(content, withLists: true)
        let renderer = try SiteRenderer(content: content, outline: outline, templates: TemplateSet())
        var unchanged: Set<String> = []
        renderer.outputs(known: known) { output in
            switch output {
            case .file(let file, _): #expect(file.bytes == expected.bytes[file.path])
            case .stream(let stream): #expect(stream.collected.bytes == expected.bytes[stream.path])
            case .unchanged(let paths), .kept(let paths): unchanged.formUnion(paths)
            case .prepared: Issue.record("no file is prepared here")
            }
        }
        #expect(unchanged.contains("photo/photo 199.html"))
        // All photos have changed at the same time, so the feed shows the first ones.
        #expect(conversions.withLock { $0.filter { $0.value > 1 }.keys.allSatisfy { $0 < 50 } })
        #expect(conversions.withLock { $0.count } == photos.count)
        // The lines of the lists are gone now, so they are made again.
        renderer.files { #expect($0.bytes == expected.bytes[$0.path]) }
    }

    @Test("Keys that are computed before the pages are those of the pages")
    func computedBefore() throws {
        let content = Sample.everything
        let renderer = try SiteRenderer(content: content, templates: TemplateSet())
        let photoKeys = renderer.photoKeys()
        let expected = try Self.render(content).keys
        #expect(photoKeys == content.photos.map { expected["photo/\($0.slug).html"] })
        var found: [String: Digest] = [:]
        let keepsNothing: SiteRenderer.KeepPages = { paths, _ in paths.map { _ in false } }
        renderer.outputs(keep: keepsNothing, dataFiles: [:], photoKeys: photoKeys) { output in
            if case .file(let file, let key) = output { found[file.path] = key }
        }
        #expect(found == expected)
    }

    private static let changes: [@Sendable (inout SiteContent) -> Void] = [
        { $0.photos[7].name += "x" }, { $0.photos[7].slug = "other" }, { $0.photos[1].details.caption = "x" },
        { $0.photos[7].state = .failed }, { $0.photos[0].details.tags = [] },
        { $0.photos[7].reason = Reason(.truncated) },
        { $0.photos[7].since = Timestamp(seconds: 1) }, { $0.photos[7].stale = nil }, { $0.photos[1].stale = nil },
        { $0.photos[7].images.removeLast() }, { $0.photos[7].original = nil }, { $0.photos[7].sha256 = nil },
        { $0.photos[7].colour = "#123456" }, { $0.photos[7].camera = "X" }, { $0.photos[7].vote = .up },
        { $0.photos.removeLast() }, { $0.photos.remove(at: 3) }, { $0.photos.swapAt(2, 9) },
        { $0.photos[7].album = ["Trips"] }, { $0.albums.swapAt(0, 2) }, { $0.albums.removeLast() },
        { $0.updated = Timestamp(seconds: 1) }, { $0.settings.title = "x" }, { $0.settings.perPage = 5 },
        { $0.settings.baseURL = "https://example.org/" }, { $0.settings.filter = "none" },
        { $0.settings.picturesAt = "https://pictures.example.org/" },
        { $0.photos[3].retryAfter = Timestamp(seconds: 1) }, { $0.photos[3].manifestPosition = "photos.plist:3" },
        { content in content.photos[7].images = Sample.photoWithWebP(content.photos[7].name).images },
        { $0.photos[7].downloaded = Timestamp(seconds: 1) }, { $0.photos[7].recovered = Timestamp(seconds: 1) },
    ]

    @Test("Whatever changes, a page that keeps its key keeps its bytes", arguments: changes.indices)
    func soundness(number: Int) throws {
        let before = try Self.render(Sample.everything)
        var content = Sample.everything
        Self.changes[number](&content)
        let after = try Self.render(content)
        for (path, key) in after.keys where before.keys[path] == key {
            #expect(after.bytes[path] == before.bytes[path], "\(path)")
        }
        let again = try Self.render(content, known: before.keys)
        #expect(again.unchanged == Set(after.keys.keys.filter { before.keys[$0] == after.keys[$0] }))
        #expect(again.bytes == after.bytes.filter { !again.unchanged.contains($0.key) })
    }

    @Test("A change to one photo renders its own page, the pages that list it and the first one, and no other")
    func economy() throws {
        var content = Sample.content(Sample.photos(30))
        content.settings.perPage = 5
        let before = try Self.render(content)
        content.photos[12].state = .failed
        content.photos[12].reason = Reason(.truncated)
        content.updated = Timestamp(seconds: 1_800_000_000)
        let after = try Self.render(content, known: before.keys)
        #expect(
            Set(after.bytes.keys.filter { $0.hasSuffix(".html") })
                == ["photo/photo13.html", "page/3.html", "index.html", "status.html"])
    }

    @Test("A change to one photo renders one file of records and the search index again")
    func economyOfRecords() throws {
        var content = Sample.content(Sample.photos(1_000))
        let before = try Self.render(content)
        content.photos[500].details.caption = "Another"
        let after = try Self.render(content, known: before.keys)
        let scripts = after.bytes.keys.filter { $0.hasSuffix(".js") && before.bytes[$0] == nil }.sorted()
        #expect(scripts.count == 2)
        #expect(scripts.first?.hasPrefix("assets/photos.") == true)
        #expect(scripts.last?.hasPrefix("assets/search.") == true)
        #expect(
            after.unchanged.count { $0.hasPrefix("assets/photos.") } == before.keys.keys.count {
                $0.hasPrefix("assets/photos.")
            } - 1)
    }

    @Test("A page can show only those values of its neighbours that render it again")
    func neighbours() throws {
        func templates(_ text: String) throws -> TemplateSet {
            try TemplateSet(overrides: ["photo.mustache": Array("{{#next}}\(text){{/next}}".utf8)])
        }
        for name in ["caption", "credit", "state", "placeholderColour"] {
            #expect(throws: SiteError.self) { try templates("{{\(name)}}") }
        }
        let all = try templates("{{name}} {{href}} {{#picture}}{{srcset}} {{webp}} {{size}}{{/picture}}")
        let before = try Self.render(Sample.everything, all)
        for change in Self.changes {
            var content = Sample.everything
            change(&content)
            let after = try Self.render(content, all)
            for (path, key) in after.keys where before.keys[path] == key {
                #expect(after.bytes[path] == before.bytes[path], "\(path)")
            }
        }
    }

    @Test(
        "A changed template renders the pages that include it, and no other",
        arguments: [
            ("feed.mustache", []), ("status.mustache", []), ("card.mustache", ["album", "index", "page"]),
            ("photo.mustache", ["photo"]), ("photo-state.mustache", ["album", "index", "page", "photo"]),
            ("layout.mustache", ["album", "index", "page", "photo"]),
            ("assets/gallery.css", ["album", "index", "page", "photo"]),
        ])
    func templates(file: String, folders: [String]) throws {
        var content = Sample.everything
        content.settings.perPage = 5
        let known = try Self.render(content).keys
        let templates = try TemplateSet(overrides: [file: (TemplateSet.builtIn[file] ?? []) + Array(" ".utf8)])
        let unchanged = try Self.render(content, known: known, templates).unchanged
        let rendered = Set(known.keys).subtracting(unchanged)
        #expect(Set(rendered.compactMap { $0.split { "./".contains($0) }.first.map(String.init) }) == Set(folders))
    }

    @Test(
        "Whatever template, text or asset changes, a page that keeps its key keeps its bytes",
        arguments: TemplateSet.builtIn.keys.sorted())
    func templateSoundness(file: String) throws {
        let before = try Self.render(Sample.everything)
        let changed = file.hasSuffix(".txt") ? Array("next = On".utf8) : (TemplateSet.builtIn[file] ?? []) + [0x20]
        let after = try Self.render(Sample.everything, TemplateSet(overrides: [file: changed]))
        for (path, key) in after.keys where before.keys[path] == key {
            #expect(after.bytes[path] == before.bytes[path], "\(path)")
        }
    }

    @Test("A changed text renders all pages and records")
    func texts() throws {
        let known = try Self.render(Sample.everything).keys
        let templates = try TemplateSet(overrides: ["strings/en.txt": Array("next = On".utf8)])
        #expect(try Self.render(Sample.everything, known: known, templates).unchanged.isEmpty)
    }
}
