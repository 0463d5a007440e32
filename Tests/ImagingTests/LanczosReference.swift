import Foundation

/// Lanczos-3 reduction in floating point, sample by sample, as a reference for comparison.
enum LanczosReference {
    static func reduce(_ source: [Double], _ shape: (Int, Int, Int), to size: (Int, Int)) -> [Double] {
        let (width, height, channels) = shape
        let columns = weights(from: width, to: size.0)
        let rows = weights(from: height, to: size.1)
        var result: [Double] = []
        for row in rows {
            for column in columns {
                for channel in 0..<channels {
                    var sum = 0.0
                    for (y, rowWeight) in row {
                        for (x, weight) in column {
                            sum += source[(y * width + x) * channels + channel] * rowWeight * weight
                        }
                    }
                    result.append(sum)
                }
            }
        }
        return result
    }

    /// The source samples that contribute to each output sample, with their weights.
    private static func weights(from count: Int, to output: Int) -> [[(Int, Double)]] {
        let scale = Double(count) / Double(output)
        return (0..<output).map { index in
            let centre = (Double(index) + 0.5) * scale
            let weights = (0..<count).map { ($0, kernel((Double($0) + 0.5 - centre) / scale)) }.filter { $0.1 != 0 }
            let sum = weights.reduce(0) { $0 + $1.1 }
            return weights.map { ($0.0, $0.1 / sum) }
        }
    }

    private static func kernel(_ x: Double) -> Double {
        if x == 0 { return 1 }
        return abs(x) < 3 ? sin(.pi * x) / (.pi * x) * sin(.pi * x / 3) / (.pi * x / 3) : 0
    }
}
