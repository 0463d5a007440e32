internal import Benchmark
internal import Foundation
internal import Imaging

/// The steps between decoding and encoding, each for one megapixel. The time of decoding whole pictures is measured too,
/// for comparison.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.cpuUser, .instructions, .throughput], maxDuration: .seconds(3), maxIterations: 1_000)

    for chain in ["sepia(0.8)", "sepia(0.8) contrast(1.1) saturate(0.9)"] {
        for channels in [3, 4] {
            Benchmark("Filter \(chain), \(channels) channels") { benchmark in
                let kernel = FilterKernel(try FilterChain(parsing: chain))
                let row = Rows.noise(channels: channels)
                var result = [UInt8](repeating: 0, count: row.count + 1)
                benchmark.startMeasurement()
                for _ in 0..<Rows.count {
                    kernel.apply(to: row, &result, pixels: Rows.width, channels: channels)
                }
                blackHole(result)
            }
        }
    }

    for (width, channels) in [(1600, 3), (1250, 3), (640, 3), (640, 4)] {
        Benchmark("Reduce to \(width) of \(Rows.width), \(channels) channels") { benchmark in
            let row = Rows.noise(channels: channels)
            let nowhere = Nowhere()
            let reducer = Rows.reducer(to: width, channels: channels, next: nowhere)
            benchmark.startMeasurement()
            for _ in 0..<Rows.count { try reducer.consume(row) }
            blackHole(nowhere.sum)
        }
    }

    Benchmark("Weights of a reducer") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(Rows.reducer(to: 640, channels: 3, next: Nowhere())) }
    }

    for name in ["mountain-sunset.jpg", "plum-blossom.png", "tulips-vignette-alpha.png"] {
        Benchmark("Decode \(name)") { benchmark in
            let picture = try openPicture(try OriginalFile(path: Rows.sample(name)), maxPixels: .max)
            let nowhere = Nowhere()
            let shape = try picture.start(shrink: 1)
            try picture.decodeColours(shape, into: nowhere) { false }
            blackHole(nowhere.sum)
        }
    }
}

/// A picture of one megapixel in which each row is the same.
private enum Rows {
    static let width = 2000
    static let count = 500

    static func noise(channels: Int) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<width * channels).map { $0 % channels == 3 ? 255 : UInt8.random(in: 0...255, using: &random) }
    }

    static func reducer(to target: Int, channels: Int, next: Nowhere) -> RowReducer {
        RowReducer(
            from: RowShape(width: width, height: count, channels: channels),
            extent: (Double(width), Double(count)),
            to: RowShape(width: target, height: count * target / width, channels: channels), next: next)
    }

    static func sample(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../Samples/\(name)")
            .standardizedFileURL.path(percentEncoded: false)
    }
}

/// Discards the rows.
private final class Nowhere: RowConsumer {
    private(set) var sum = 0

    func consume(_ row: UnsafePointer<UInt8>) { sum &+= Int(row[0]) }
}
