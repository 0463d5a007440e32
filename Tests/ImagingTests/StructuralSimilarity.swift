import Imaging

/// The similarity of two pictures to the human eye: the mean SSIM (Wang et al. 2004) of their lightness over blocks of
/// 8 × 8 pixels. Equal pictures have the value 1.
func structuralSimilarity(_ one: DecodedPicture, _ other: DecodedPicture) -> Double {
    precondition((one.shape.width, one.shape.height) == (other.shape.width, other.shape.height))
    let side = 8
    var (sum, count) = (0.0, 0.0)
    for top in stride(from: 0, through: one.shape.height - side, by: side) {
        for left in stride(from: 0, through: one.shape.width - side, by: side) {
            sum += similarity(lightness(one, left, top, side), lightness(other, left, top, side))
            count += 1
        }
    }
    return sum / count
}

private func lightness(_ picture: DecodedPicture, _ left: Int, _ top: Int, _ side: Int) -> [Double] {
    (0..<side * side).map { place in
        let pixel = (top + place / side) * picture.shape.width + left + place % side
        let at = pixel * picture.shape.channels
        let (red, green, blue) = (picture.bytes[at], picture.bytes[at + 1], picture.bytes[at + 2])
        return 0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)
    }
}

private func similarity(_ a: [Double], _ b: [Double]) -> Double {
    let count = Double(a.count)
    let (meanA, meanB) = (a.reduce(0, +) / count, b.reduce(0, +) / count)
    var (varianceA, varianceB, covariance) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
        varianceA += (x - meanA) * (x - meanA) / count
        varianceB += (y - meanB) * (y - meanB) / count
        covariance += (x - meanA) * (y - meanB) / count
    }
    let (c1, c2) = (6.5025, 58.5225)
    return (2 * meanA * meanB + c1) * (2 * covariance + c2)
        / ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2))
}
