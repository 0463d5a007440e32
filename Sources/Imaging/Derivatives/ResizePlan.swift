/// The size from which each derivative is reduced. It decides the bytes of derivatives, so it depends on
/// nothing but the facts of the picture and the widths, and is part of each recipe.
///
/// A size comes from the smallest other one at least twice as wide, which the kernel cannot tell from the decoded
/// picture and which costs a fraction; if there is none, from the decoded rows.
struct ResizePlan: Hashable {
    /// The factor by which the decoder reduces rows and columns: 1, 2, 4 or 8.
    let shrink: Int
    /// Ascending, without repeats, none over the picture's own.
    let widths: [Int]
    /// For each of `widths`, the width it is reduced from; nil for the decoded rows.
    let parents: [Int: Int]

    private let picture: ImageMetadata

    init(_ picture: ImageMetadata, widths wanted: [Int]) {
        self.picture = picture
        widths = Set(wanted.map { min($0, picture.width) }).sorted()
        var parents: [Int: Int] = [:]
        for width in widths { parents[width] = widths.first { $0 >= 2 * width } }
        self.parents = parents
        let widest = widths.last ?? picture.width
        // libjpeg-turbo has fast inverse transforms for these only, and they leave at least the widest to reduce to.
        shrink = picture.format == .jpeg ? [8, 4, 2].first { picture.width >= $0 * widest } ?? 1 : 1
    }

    /// The height that goes with a width: in proportion, rounded, at least 1.
    func height(forWidth width: Int) -> Int {
        max(1, (2 * width * picture.height + picture.width) / (2 * picture.width))
    }

    /// The way from the original to a width, for recipes: "1/2>1600>800".
    func path(to width: Int) -> String {
        var steps = [String(width)]
        var step = width
        while let parent = parents[step] {
            steps.append(String(parent))
            step = parent
        }
        return (["1/\(shrink)"] + steps.reversed()).joined(separator: ">")
    }

    /// The given widths and all those that they come from.
    func closure(of wanted: Set<Int>) -> Set<Int> {
        var needed = wanted
        for width in widths where needed.contains(width) {
            if let parent = parents[width] { needed.insert(parent) }
        }
        return needed
    }
}
