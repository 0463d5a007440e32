import Importing
import Manifest
import PhotoModel
import Testing

@Suite("Responses of MediaWiki's API") struct MediaWikiTests {
    private static let upload = "https://upload.wikimedia.org/wikipedia/commons"

    @Test("A file of the wiki is a photo with its title, author, licence, description, date and page")
    func details() throws {
        let list = try Import.remote(
            #"""
            {"batchcomplete": "", "query": {"pages": {"123": {"pageid": 123, "ns": 6, "title": "File:Lake Bled.jpg",
             "imagerepository": "local", "imageinfo": [
              {"url": "\#(Self.upload)/a/a1/Lake_Bled.jpg", "user": "Uploader",
               "descriptionurl": "https://commons.wikimedia.org/wiki/File:Lake_Bled.jpg",
               "descriptionshorturl": "https://commons.wikimedia.org/w/index.php?curid=123", "extmetadata": {
                "DateTimeOriginal": {"value": "<time class=\"dtstart\" datetime=\"2019-05-01\">1 May</time>, 12:00"},
                "ImageDescription": {"value": "A <b>lake</b> with an island", "source": "commons-desc-page"},
                "Artist": {"value": "<bdi><a href=\"//commons.wikimedia.org/wiki/User:Ann\">Ann</a>\n</bdi>"},
                "LicenseShortName": {"value": "CC BY-SA 4.0"}, "GPSLatitude": {"value": 46.36},
                "LicenseUrl": {"value": "https://creativecommons.org/licenses/by-sa/4.0"}}},
              {"url": "\#(Self.upload)/archive/a/a1/2018%21Lake_Bled.jpg"}]}}}}
            """#)
        #expect(list.addresses == [Self.upload + "/a/a1/Lake_Bled.jpg"])
        let photo = try #require(list.photos.first)
        #expect(photo.name == "Lake Bled")
        #expect(photo.album == [])
        #expect(photo.details.caption == "A lake with an island")
        #expect(photo.details.credit == "Ann")
        #expect(photo.details.license == "CC BY-SA 4.0")
        #expect(photo.details.link == "https://commons.wikimedia.org/wiki/File:Lake_Bled.jpg")
        #expect(photo.details.date == "2019-05-01T00:00:00Z")
        #expect(list.warnings == [])
        #expect(list.isComplete)
        #expect(try Import.written(list).photos.map(\.name) == ["Lake Bled"])
    }

    @Test("Files have the order of the search, English texts, and the attribution that their authors want")
    func secondFormat() throws {
        let list = try Import.remote(
            #"""
            {"query": {"pages": [
             {"title": "Datei:Two.png", "index": 2, "imageinfo": [{"url": "\#(Self.upload)/2/Two.png?utm_source=api"}]},
             {"title": "Datei:One.v2.JPG", "index": 1, "imageinfo": [{"url": "\#(Self.upload)/1/One.v2.JPG",
              "extmetadata": {"Artist": {"value": "Ann"}, "Attribution": {"value": "© Ann, museum"},
               "ImageDescription": {"value": {"_type": "lang", "de": "Eins", "en-gb": "1", "en": "One"}},
               "DateTimeOriginal": {"value": "2012-08-12 10:28:23"}}}]},
             {"title": "Datei:Zero.jpg", "index": 0, "imageinfo": [{"url": "\#(Self.upload)/0/Zero.jpg",
              "extmetadata": {"Artist": {"value": "<b>Ann</b>&nbsp;"}, "Attribution": {"value": " "},
               "LicenseShortName": {"value": "\n"}, "LicenseUrl": {"value": "https://example.org/terms"},
               "ImageDescription": {"value": {"_type": "lang", "de": "Null", "en": "", "en-gb": "Nought"}},
               "DateTimeOriginal": {"value": "between <time datetime=\"2012-08-12\">12 August</time> and later"}}}]},
             {"title": "Datei:Three.gif", "imageinfo": [{"url": "\#(Self.upload)/3/Three.gif",
              "extmetadata": {"ImageDescription": {"value": {"_type": "lang", "de": "Drei\nSeen"}},
               "DateTimeOriginal": {"value": "circa 1900"}}}]}]}}
            """#)
        #expect(list.names == ["Zero", "One.v2", "Two", "Three"])
        #expect(list.photos.map(\.details.caption) == ["Nought", "One", nil, "Drei Seen"])
        let dates = ["between 12 August and later", "2012-08-12T00:00:00Z", nil, "circa 1900"]
        #expect(list.photos.map(\.details.date) == dates)
        #expect(list.photos.map(\.details.credit) == ["Ann", "© Ann, museum", nil, nil])
        #expect(list.photos[0].details.license == "https://example.org/terms")
    }

    @Test("The thumbnail stands for a picture that can't be read, and what is no picture is left out")
    func otherFormats() throws {
        let list = try Import.remote(
            #"""
            {"query": {"pages": [
             {"title": "File:Map.tif", "imageinfo": [{"url": "\#(Self.upload)/m/Map.tif",
              "thumburl": "\#(Self.upload)/thumb/m/Map.tif/1600px-Map.tif.jpg"}]},
             {"title": "File:Plan.tif", "imageinfo": [{"url": "\#(Self.upload)/p/Plan.tif"}]},
             {"title": "File:Bird.jpg", "imageinfo": [{"url": "\#(Self.upload)/b/Bird.jpg",
              "thumburl": "\#(Self.upload)/thumb/b/Bird.jpg/1600px-Bird.jpg"}]},
             {"title": "File:Film.webm", "imageinfo": [{"url": "\#(Self.upload)/f/Film.webm",
              "thumburl": "\#(Self.upload)/thumb/f/Film.webm/1600px--Film.webm.jpg"}]},
             {"title": "File:Sound.mid", "imageinfo": [{"url": "\#(Self.upload)/s/Sound.mid",
              "thumburl": "https://commons.wikimedia.org/w/resources/assets/file-type-icons/fileicon-midi.png"}]},
             {"title": "File:Gone.jpg", "missing": true}]}}
            """#)
        #expect(
            list.addresses == [
                Self.upload + "/thumb/m/Map.tif/1600px-Map.tif.jpg", Self.upload + "/p/Plan.tif",
                Self.upload + "/b/Bird.jpg",
            ])
        #expect(list.names == ["Map", "Plan", "Bird"])
        #expect(list.warnings == ["3 of its files are no pictures, or have no address"])
    }

    @Test("A batch of a longer list says how the next one is requested, and is known to be a part")
    func batches() throws {
        let first = #"""
            {"continue": {"gcmcontinue": "file|a&b's $(c)!|7", "gsroffset": 20, "continue": "||"}, "query": {"pages": {
             "1": {"title": "File:A.jpg", "imageinfo": [{"url": "\#(Self.upload)/A.jpg"}]},
             "2": {"title": "File:B.jpg"}}}}
            """#
        let next = "&gcmcontinue=file%7Ca%26b%27s%20%24%28c%29%21%7C7&gsroffset=20"
        let list = try Import.remote(first)
        #expect(list.warnings == ["this is not all; to request the next batch of files, add \(next) to the address"])
        #expect(!list.isComplete)

        let second = #"{"query": {"pages": {"2": {"title": "File:B.jpg", "imageinfo": [{"url": "/B.jpg"}]}}}}"#
        let both = try Import.remote(first + "\n" + second + "\n" + #"{"batchcomplete": ""}"#)
        #expect(both.names == ["A", "B"])
        #expect(both.isComplete)
        #expect(both.warnings == [])

        let old = #"{"query-continue": {"categorymembers": {"gcmcontinue": "x"}}, "#
        #expect(try !Import.remote(old + second.dropFirst()).isComplete)
    }

    @Test("The older versions of a file are no next batch")
    func olderVersions() throws {
        let list = try Import.remote(
            #"""
            {"continue": {"iistart": "2015-01-02T03:04:05Z", "continue": "||"}, "query": {"pages": [
             {"title": "File:A.jpg", "imageinfo": [{"url": "\#(Self.upload)/A.jpg"}]}]}}
            """#)
        #expect(list.isComplete)
        #expect(list.warnings == [])
    }

    @Test("A batch without a picture says how the next one is requested")
    func noPictures() {
        #expect(throws: ImportError.noPhotosInBatch(next: "gcmcontinue=x")) {
            try Import.remote(
                #"""
                {"continue": {"gcmcontinue": "x", "continue": "gcmcontinue||"}, "query": {"pages": [
                 {"title": "File:A.webm", "imageinfo": [{"url": "\#(Self.upload)/A.webm"}]}]}}
                """#)
        }
    }

    @Test(
        "A date counts only if no words make it uncertain",
        arguments: [
            ("", "2012-08-12T00:00:00Z"), (", 10:28:23", "2012-08-12T00:00:00Z"),
            (" (according to Exif data)", "2012-08-12T00:00:00Z"), (" or earlier", "12 August or earlier"),
            ("–<time datetime=\\\"2012-08-14\\\">14 August</time>", "12 August–14 August"),
        ])
    func dates(rest: String, expected: String) throws {
        let time = #"\n<time class=\"dtstart\" datetime=\"2012-08-12\">12 August</time>"#
        let list = try Import.remote(
            #"""
            {"query": {"pages": [{"title": "File:A.jpg", "imageinfo": [{"url": "\#(Self.upload)/A.jpg", "extmetadata":
             {"DateTimeOriginal": {"value": "\#(time)\#(rest)"}}}]}]}}
            """#)
        #expect(list.photos.first?.details.date == expected)
    }

    @Test("Text that a page hides, as Commons repeats it for unknown authors, is not part of the credit")
    func hiddenText() throws {
        let list = try Import.remote(
            #"""
            {"query": {"pages": [{"title": "File:A.jpg", "imageinfo": [{"url": "\#(Self.upload)/A.jpg", "extmetadata":
             {"Artist": {"value": "<bdi>Unknown <i>author</i></bdi><span style=\"color: red; DISPLAY : none\"><p>Un<br>
             <b>known</b></span>, <wbr hidden><b style=\"display: none; display:block\">1890</b><i hidden>!</i>"}}}]}]}}
            """#.replacing("<br>\n ", with: "<br>"))
        #expect(list.photos.first?.details.credit == "Unknown author, 1890")
    }

    @Test("Pages without files of the wiki are read as any JSON")
    func otherAnswers() throws {
        let list = try Import.remote(
            #"""
            {"query": {"pages": [{"title": "Bled", "imageinfo": [{"width": 5}], "thumbnail":
             {"source": "https://example.org/bled.jpg"}}]}}
            """#)
        #expect(list.addresses == ["https://example.org/bled.jpg"])
        #expect(list.names == ["Bled"])
    }
}
