/// The size from which each derivative is reduced. It decides the bytes of derivatives. For this reason, it depends
/// only on the metadata of the picture and the widths, and is part of each recipe.
///
/// A size is reduced from the smallest other size that is at least twice as wide. The kernel's result can't be
/// distinguished from a reduction of the decoded picture, and takes a fraction of the time. If there is no such size,
/// the decoded rows are used.
struct ResizePlan: Hashable {
    /// The factor by which the decoder reduces rows and columns: 1, 2, 4 or 8.
    let shrink: Int
    /// The widths in pixels, ascending, without duplicates, none above the picture's own.
    let widths: [Int]
    /// The width from which each of `widths` is reduced; nil if it is reduced from the decoded rows.
    let parents: [Int: Int]

    private let picture: ImageMetadata

    init(_ picture: ImageMetadata, widths wanted: [Int]) {
        self.picture = picture
        widths = Set(wanted.map { min($0, picture.width) }).sorted()
        var parents: [Int: Int] = [:]
        for width in widths { parents[width] = widths.first { $0 >= 2 * width } }
        self.parents = parents
        let widest = widths.last ?? picture.width
        // libjpeg-turbo has fast inverse transforms only for these factors. They average blocks of pixels, which turns
        // fine patterns into false ones, so the widest size is reduced from rows that are at least twice as wide. The
        // last rows of blocks are averaged with rows below the picture, which would be seen in a picture of few rows.
        shrink =
            picture.format == .jpeg
            ? [8, 4, 2].first { picture.width >= 2 * $0 * widest && picture.height >= 8 * $0 } ?? 1 : 1
    }

    /// The height for a width: in proportion, rounded, at least 1.
    func height(forWidth width: Int) -> Int {
        max(1, (2 * width * picture.height + picture.width) / (2 * picture.width))
    }

    /// The sizes from the original to a width, for recipes: "1/2>1600>800".
    func path(to width: Int) -> String {
        var steps = [String(width)]
        var step = width
        while let parent = parents[step] {
            steps.append(String(parent))
            step = parent
        }
        return (["1/\(shrink)"] + steps.reversed()).joined(separator: ">")
    }

    /// The given widths, and all widths from which they are reduced.
    func closure(of wanted: Set<Int>) -> Set<Int> {
        var needed = wanted
        for width in widths where needed.contains(width) {
            if let parent = parents[width] { needed.insert(parent) }
        }
        return needed
    }
}
