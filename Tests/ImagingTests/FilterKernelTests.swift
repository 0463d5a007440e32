import Imaging
import TestSupport
import Testing

@Suite("Filters change pixels as browsers do")
struct FilterKernelTests {
    private static let amounts: [String: [Double]] = [
        "sepia": [0, 0.3, 0.8, 1], "grayscale": [0, 0.25, 0.6, 1], "invert": [0, 0.3, 0.5, 1],
        "saturate": [0, 0.5, 1.7, 3, 100], "brightness": [0, 0.4, 1.3, 2, 50, 65536],
        "contrast": [0, 0.5, 1.5, 4, 65536],
        "hue-rotate": [-30, 0, 45, 90, 200, 359],
    ]

    @Test(
        "Every function is within one level of exact arithmetic",
        arguments: amounts.keys.sorted().flatMap { name in (amounts[name] ?? []).map { (name, $0) } })
    func single(_ name: String, _ amount: Double) throws {
        let largest = try largestDifference([(name, amount)], colours: Self.randomColours(seed: 1, count: 4000))
        #expect(largest <= 0.51, "largest difference: \(largest) levels")
    }

    @Test("Chains are clamped between functions but not rounded", arguments: 1...40)
    func chains(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let names = Self.amounts.keys.sorted()
        let chain = (0..<3).map { _ -> (String, Double) in
            let name = names[Int.random(in: 0..<names.count, using: &random)]
            return (
                name,
                name == "hue-rotate" ? .random(in: -360...360, using: &random) : .random(in: 0...3, using: &random)
            )
        }
        let limited = chain.map { ["sepia", "grayscale", "invert"].contains($0.0) ? ($0.0, min($0.1, 1)) : $0 }
        let largest = try largestDifference(limited, colours: Self.randomColours(seed: seed, count: 500))
        #expect(largest <= 0.51, "largest difference: \(largest) levels, of \(limited)")
    }

    @Test(
        "A function whose amount has no effect changes nothing",
        arguments: [
            "none", "sepia(0)", "grayscale(0)", "invert(0)", "saturate(1)", "brightness(1)", "contrast(1)",
            "hue-rotate(0)", "hue-rotate(360deg)", "hue-rotate(-1turn)", "sepia(0) saturate(1) hue-rotate(720deg)",
        ])
    func identities(_ text: String) throws {
        let colours = Self.randomColours(seed: 3, count: 3000)
        #expect(try filtered(colours, by: text, channels: 3) == colours)
    }

    @Test("grayscale(1) makes the channels equal, invert(1) inverts them, and twice restores the picture")
    func properties() throws {
        let colours = Self.randomColours(seed: 4, count: 3000)
        let grey = try filtered(colours, by: "grayscale(1)", channels: 3)
        for pixel in stride(from: 0, to: grey.count, by: 3) {
            #expect(Set(grey[pixel..<pixel + 3]).count == 1)
        }
        #expect(try filtered(colours, by: "invert(1)", channels: 3) == colours.map { 255 - $0 })
        #expect(try filtered(colours, by: "invert(1) invert(1)", channels: 3) == colours)
    }

    /// The values are those of Chromium for `filter: sepia(0.8)` on these colours.
    @Test(
        "sepia(0.8), the default, looks as in Chromium",
        arguments: [
            ([0, 0, 0], [0, 0, 0]), ([255, 255, 255], [255, 255, 242]), ([255, 0, 0], [131, 71, 55]),
            ([0, 255, 0], [157, 191, 109]), ([0, 0, 255], [39, 34, 78]), ([128, 128, 128], [164, 149, 122]),
        ] as [([UInt8], [UInt8])])
    func golden(_ colour: [UInt8], _ expected: [UInt8]) throws {
        let result = try filtered(colour, by: "sepia(0.8)", channels: 3)
        let differences = zip(result, expected).map { abs(Int($0) - Int($1)) }
        #expect(differences.allSatisfy { $0 <= 1 }, "\(result)")
    }

    @Test(
        "Transparency stays as it is, and colours do not depend on it",
        arguments: ["sepia(0.8)", "sepia(0.8) invert(1)"])
    func alpha(_ text: String) throws {
        let colours = Self.randomColours(seed: 5, count: 1000)
        let opaque = try filtered(colours, by: text, channels: 3)
        var pixels: [UInt8] = []
        for index in 0..<1000 {
            pixels += colours[index * 3..<index * 3 + 3]
            pixels.append(UInt8(index % 256))
        }
        let result = try filtered(pixels, by: text, channels: 4)
        for index in 0..<1000 {
            #expect(result[index * 4 + 3] == UInt8(index % 256))
            #expect(Array(result[index * 4..<index * 4 + 3]) == Array(opaque[index * 3..<index * 3 + 3]))
        }
    }

    /// The largest difference to the exact result before rounding, in levels from 0 to 255.
    private func largestDifference(_ chain: [(String, Double)], colours: [UInt8]) throws -> Double {
        let text = chain.map { "\($0)(\($1)\($0 == "hue-rotate" ? "deg" : ""))" }.joined(separator: " ")
        let result = try filtered(colours, by: text, channels: 3)
        var largest = 0.0
        for pixel in stride(from: 0, to: colours.count, by: 3) {
            var exact =
                SIMD3<Double>(Double(colours[pixel]), Double(colours[pixel + 1]), Double(colours[pixel + 2])) / 255
            for (name, amount) in chain { exact = FilterArithmetic.apply(name, amount, to: exact) }
            for channel in 0..<3 { largest = max(largest, abs(exact[channel] * 255 - Double(result[pixel + channel]))) }
        }
        return largest
    }

    private func filtered(_ pixels: [UInt8], by text: String, channels: Int) throws -> [UInt8] {
        let kernel = FilterKernel(try FilterChain(parsing: text))
        var result = [UInt8](repeating: 0, count: pixels.count + 1)
        pixels.withUnsafeBufferPointer { pixels in
            result.withUnsafeMutableBufferPointer { result in
                guard let from = pixels.baseAddress, let to = result.baseAddress else { return }
                kernel.apply(to: from, to, pixels: pixels.count / channels, channels: channels)
            }
        }
        return Array(result.dropLast())
    }

    private static func randomColours(seed: Int, count: Int) -> [UInt8] {
        var random = SeededRandom(seed: UInt64(seed))
        // Mistakes in clamping show at the corners of the colour cube.
        let corners = (0..<8).flatMap { (corner: Int) -> [UInt8] in
            (0..<3).map { (corner >> $0) & 1 == 1 ? 255 : 0 }
        }
        return corners + (0..<(count * 3 - corners.count)).map { _ in .random(in: 0...255, using: &random) }
    }
}
