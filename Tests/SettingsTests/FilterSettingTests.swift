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
}
