import Importing
import Manifest
import PhotoModel
import Testing

@Suite struct WebPageTests {
    @Test("A page gives the largest of a srcset, the target of a thumbnail, alt as caption, relative to its base")
    func pictures() throws {
        let list = try Import.remote(
            """
            <!DOCTYPE html><html><head><base href="/img/"><link rel="license" href="/cc"></head><body>
            <img src="s.jpg" srcset="m.jpg 400w, l,1.jpg 1600w" alt="A lake">
            <a href="big.jpg?x=1"><img src="thumb.jpg"></a>
            <a href="page.html"><img src="b.jpg" title="Bee" alt="A bee"></a>
            <a href="/wiki/File:Sea.jpg"><img src="sea.jpg"></a>
            <picture><source srcset="c.avif 4000w" type="image/avif"><source srcset="c2.webp 2x" type="image/webp">
              <img src="c.jpg"></picture>
            <figure><img src="d.jpg" alt="Dee"><figcaption>A <i>figure</i></figcaption></figure>
            <img src="data:image/gif;base64,R0lGOD" data-src="lazy.jpg"><noscript><img src="lazy.jpg"></noscript>
            <img src="x.svg"><img src="icon.png" width=16 height=16><img>
            """)
        let base = "https://example.org/img/"
        #expect(
            list.addresses
                == ["l,1.jpg", "big.jpg?x=1", "b.jpg", "sea.jpg", "c2.webp", "d.jpg", "lazy.jpg"].map { base + $0 })
        #expect(list.photos[0].details.caption == "A lake")
        #expect(list.photos[0].details.license == "https://example.org/cc")
        #expect(list.photos[1].details.link == nil)
        #expect(list.photos[2].details.link == "https://example.org/img/page.html")
        #expect(list.photos[2].details.caption == "Bee")
        #expect(list.photos[2].details.alt == "A bee")
        #expect(list.photos[3].details.link == "https://example.org/wiki/File:Sea.jpg")
        #expect(list.photos[5].details.caption == "A figure")
        #expect(list.warnings == ["3 symbols, drawings and pictures within the page itself are left out"])
        #expect(try Import.written(list).photos[0].name == "l,1")
    }

    @Test("A page in Shift-JIS is read by the charset that it declares")
    func shiftJIS() throws {
        let page =
            Array("<html><head><meta charset=Shift_JIS></head><img src=a.jpg alt='".utf8)
            + [0x8E, 0xCA, 0x90, 0x5E] + Array("'>".utf8)
        #expect(try Import.file(page).photos.map(\.details.caption) == ["写真"])
    }

    @Test("A saved page names files, with percent-encoding and without queries")
    func saved() throws {
        let list = try Import.file(
            "<html><img src='page_files/a%20b.jpg?v=2'><img src='//example.org/c.jpg'>", in: "/photos/in")
        #expect(list.addresses == ["in/page_files/a b.jpg", "https://example.org/c.jpg"])
    }

    @Test("Reading a malformed page ends")
    func hostile() throws {
        let deep = "<html>" + String(repeating: "<div>", count: 200_000)
        #expect(throws: ImportError.self) { try Import.remote(deep) }
        let attributes = (0..<200_000).map { "a\($0) " }.joined()
        #expect(throws: ImportError.self) { try Import.remote("<html><img \(attributes)src='a.jpg'>") }
        #expect(throws: ImportError.noPhotos(.webPage)) { try Import.remote("<html><img src='") }
    }

    @Test("Control characters are removed from names")
    func controls() throws {
        let list = try Import.remote("<html><img src=a.jpg alt='x\u{1B}[31my\u{7F}z'>")
        #expect(list.photos[0].details.caption == "x[31myz")
        #expect(try Import.written(list).warnings.isEmpty)
    }
}
