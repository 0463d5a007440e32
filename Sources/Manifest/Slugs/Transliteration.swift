/// Writes letters in plain ASCII, in the same way on every machine and with every version of Unicode's tables. A
/// library of the system can change how it writes a letter, but the addresses of pages must not change.
enum Transliteration {
    /// Lower-case Latin letters, and the ASCII that stands for them: without diacritics, and with ligatures in full.
    private static let latin: [(ascii: String, letters: String)] = [
        ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁẚạảấầẩẫậắằẳẵặⱥ"),
        ("ae", "æǣǽ"),
        ("b", "ƀɓḃḅḇ"),
        ("c", "çćĉċčƈȼḉ"),
        ("d", "ðďđȡɖɗḋḍḏḑḓ"),
        ("dz", "ǆǳ"),
        ("e", "èéêëēĕėęěǝȅȇȩɇəɛḕḗḙḛḝẹẻẽếềểễệ"),
        ("f", "ƒḟ"),
        ("ff", "ﬀ"),
        ("ffi", "ﬃ"),
        ("ffl", "ﬄ"),
        ("fi", "ﬁ"),
        ("fl", "ﬂ"),
        ("g", "ĝğġģǥǧǵɠḡ"),
        ("h", "ĥħȟḣḥḧḩḫẖ"),
        ("i", "ìíîïĩīĭįıǐȉȋɨḭḯỉị"),
        ("ij", "ĳ"),
        ("j", "ĵǰȷɉ"),
        ("k", "ķĸƙǩḱḳḵ"),
        ("l", "ĺļľŀłƚȴḷḹḻḽ"),
        ("lj", "ǉ"),
        ("ll", "ỻ"),
        ("m", "ḿṁṃ"),
        ("n", "ñńņňƞǹȵɲṅṇṉṋ"),
        ("ng", "ŋ"),
        ("nj", "ǌ"),
        ("o", "òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱɔɵṍṏṑṓọỏốồổỗộớờởỡợ"),
        ("oe", "œ"),
        ("ou", "ȣ"),
        ("p", "ƥṕṗ"),
        ("q", "ɋ"),
        ("r", "ŕŗřȑȓɍṙṛṝṟ"),
        ("s", "śŝşšſșȿṡṣṥṧṩẛẜẝ"),
        ("ss", "ß"),
        ("st", "ﬅﬆ"),
        ("t", "ţťŧƭțȶʈṫṭṯṱẗⱦ"),
        ("th", "þ"),
        ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"),
        ("v", "ʋṽṿỽ"),
        ("w", "ŵƿẁẃẅẇẉẘ"),
        ("x", "ẋẍ"),
        ("y", "ýÿŷƴȝȳɏẏẙỳỵỷỹỿ"),
        ("z", "źżžƶȥɀẑẓẕ"),
    ]

    /// Greek and Cyrillic letters, and the ASCII that stands for each.
    private static let otherAlphabets: [(ascii: String, letters: String)] = [
        ("a", "αάа"), ("b", "б"), ("v", "βв"), ("g", "γгґ"), ("d", "δд"), ("e", "εέеэ"), ("ie", "є"), ("zh", "ж"),
        ("z", "ζз"), ("i", "ηήιίϊΐиі"), ("y", "υύϋΰйы"), ("yi", "ї"), ("k", "κк"), ("l", "λл"), ("m", "μм"),
        ("n", "νн"), ("x", "ξ"), ("o", "οόωώо"), ("p", "πп"), ("r", "ρр"), ("s", "σςс"), ("t", "τт"), ("u", "уў"),
        ("f", "φф"), ("ch", "χч"), ("kh", "х"), ("ps", "ψ"), ("th", "θ"), ("ts", "ц"), ("sh", "ш"), ("shch", "щ"),
        ("yo", "ё"), ("yu", "ю"), ("ya", "я"), ("j", "ј"), ("lj", "љ"), ("nj", "њ"), ("dj", "ђ"), ("c", "ћ"),
        ("dz", "џѕ"), ("gj", "ѓ"), ("kj", "ќ"), ("", "ъь"),
    ]

    private static let table: [Unicode.Scalar: [UInt8]] = {
        var table: [Unicode.Scalar: [UInt8]] = [:]
        for (ascii, letters) in latin + otherAlphabets {
            for letter in letters.unicodeScalars { table[letter] = Array(ascii.utf8) }
        }
        return table
    }()

    /// The ASCII for a lower-case letter; nil if the table has none.
    static func ascii(for letter: Unicode.Scalar) -> [UInt8]? { table[letter] }
}
