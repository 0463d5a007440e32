internal import PhotoModel
import Testing

@Suite("A number with its noun")
struct CountedNounTests {
    @Test(
        "Only one takes the singular",
        arguments: [(0, "0 photos"), (1, "1 photo"), (2, "2 photos"), (11, "11 photos"), (101, "101 photos")])
    func forms(number: Int, text: String) {
        #expect(counted(number, "photo") == text)
        #expect(counted(Int64(number), "photo") == text)
    }
}
