import Testing

@testable import Preview

/// The messages between pages and the preview, as docs/explanation/preview.md lists them.
@Suite("Messages of a preview") struct PreviewMessageTests {
    @Test("Messages of pages are read")
    func reading() {
        #expect(PageMessage(#"{"type":"view","scrolling":true}"#) == .scrolling)
        #expect(PageMessage(#"{"type":"view","scrolling":false,"photos":["b","a"]}"#) == .view(["b", "a"]))
        #expect(PageMessage(#"{"type":"filter","chain":"sepia(1)"}"#) == .filter("sepia(1)"))
        #expect(PageMessage(#"{"type":"save-filter","chain":"none"}"#) == .saveFilter("none"))
    }

    @Test(
        "Other texts are no messages",
        arguments: ["", "[]", "{}", #"{"type":"view"}"#, #"{"type":"other"}"#, #"{"type":"view","scrolling":false}"#])
    func otherTexts(text: String) { #expect(PageMessage(text) == nil) }

    @Test("Messages to pages leave out what is not known")
    func writing() {
        let mistake = PreviewMessage.mistake("no \"value\"", file: "photos.plist", line: 3, column: nil)
        #expect(mistake.text == #"{"file":"photos.plist","line":3,"message":"no \"value\"","type":"mistake"}"#)
        #expect(PreviewMessage.mended.text == #"{"type":"mended"}"#)
        let changed = PreviewMessage.changed([.pages, .styles], revision: 7)
        #expect(changed.text == #"{"revision":7,"type":"changed","what":["pages","styles"]}"#)
    }

    @Test("A photo's card and record are taken as they are")
    func photo() {
        let photo = PreviewMessage.photo(card: Array(#""<p>""#.utf8), record: Array(#"{"page":"a"}"#.utf8))
        #expect(photo.text == #"{"type":"photo","card":"<p>","record":{"page":"a"}}"#)
    }
}
