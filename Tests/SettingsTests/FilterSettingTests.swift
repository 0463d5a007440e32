import Foundation
import TestSupport
import Testing

@testable import Program

/// The line of a filter that was tried in a preview.
@Suite("A saved filter") struct FilterSettingTests {
    private let setting = FilterSetting("invert(1)")

    @Test("A settings file without a filter gets a line at its end")
    func added() {
        #expect(setting.edited("") == "filter: invert(1)\n")
        #expect(setting.edited("title: Trips\n") == "title: Trips\nfilter: invert(1)\n")
        #expect(setting.edited("title: Trips") == "title: Trips\nfilter: invert(1)\n")
    }

    @Test("The line of the filter is replaced, and all others stay, with their comments")
    func replaced() {
        let text = "# mine\ntitle: Trips\nfilter: sepia(0.8)  # warm\nper-page: 40\n"
        #expect(setting.edited(text) == "# mine\ntitle: Trips\nfilter: invert(1)  # warm\nper-page: 40\n")
        #expect(setting.edited("'filter' : none\n") == "filter: invert(1)\n")
    }

    @Test("A value of several lines is replaced as a whole")
    func severalLines() {
        #expect(
            setting.edited("filter: >\n  sepia(0.8)\n  contrast(1.1)\nquality: 80\n")
                == "filter: invert(1)\nquality: 80\n")
    }

    @Test("Other settings that contain the word stay")
    func otherSettings() {
        let text = "# filter: none\nno-filter: x\ntitle: \"filter: none\"\n"
        #expect(setting.edited(text) == text + "filter: invert(1)\n")
    }

    @Test("The line breaks of the file are kept")
    func lineBreaks() {
        #expect(
            setting.edited("title: Trips\r\nfilter: none\r\nper-page: 40\r\n")
                == "title: Trips\r\nfilter: invert(1)\r\nper-page: 40\r\n")
        #expect(setting.edited("title: Trips\r\n") == "title: Trips\r\nfilter: invert(1)\r\n")
        #expect(setting.edited("title: Trips\r\nfilter: none") == "title: Trips\r\nfilter: invert(1)")
    }

    @Test("Empty lines within a value are part of it, and those after it are not")
    func emptyLines() {
        #expect(
            setting.edited("filter: |\n  sepia(0.8)\n\n  contrast(1.1)\n\nquality: 80\n")
                == "filter: invert(1)\n\nquality: 80\n")
        #expect(setting.edited("filter:\n- none\nquality: 80\n") == "filter: invert(1)\nquality: 80\n")
    }

    @Test("Indented comments after a value stay, and those within it are part of it")
    func indentedComments() {
        #expect(
            setting.edited("filter: sepia(0.8)\n  # mine\nquality: 80\n")
                == "filter: invert(1)\n  # mine\nquality: 80\n")
        #expect(setting.edited("filter: >\n  sepia(0.8)\n  # x\n  invert(1)\n") == "filter: invert(1)\n")
    }

    @Test("A byte order mark stays at the beginning")
    func byteOrderMark() {
        #expect(setting.edited("\u{FEFF}filter: none\n") == "\u{FEFF}filter: invert(1)\n")
    }

    @Test("A number sign in a quoted value begins no comment")
    func quotedValue() {
        #expect(setting.edited("filter: 'none # all'\n") == "filter: invert(1)\n")
        #expect(setting.edited("filter: 'none' # all\n") == "filter: invert(1) # all\n")
    }

    @Test(
        "A file that would not have the chain is not written",
        arguments: ["{filter: none}\n", "filter: &f none\ntitle: *f\n", "filter: \"none\ncontrast(1)\"\n", "{\n"])
    func otherForms(text: String) throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/gallerygen.yaml"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: CommandFailure.self) { try setting.save(in: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test("A settings file keeps its permissions, and a link stays a link")
    func link() throws {
        let folder = TemporaryFolder()
        let (path, link) = (folder.path + "/own.yaml", folder.path + "/gallerygen.yaml")
        try Data("filter: none\r\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "own.yaml")
        try setting.save(in: link)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "own.yaml")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "filter: invert(1)\r\n")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    }
}
