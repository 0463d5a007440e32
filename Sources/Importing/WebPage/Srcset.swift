internal import Manifest

/// The candidates of a `srcset` attribute (WHATWG HTML §4.8.4.2).
struct Srcset {
    /// A picture that a browser can choose, with its size.
    struct Candidate {
        let address: String
        /// The width in pixels; nil if a density or nothing is stated.
        let width: Double?
        let density: Double
    }

    let candidates: [Candidate]

    init(_ text: String) {
        var candidates: [Candidate] = []
        var rest = Array(text.utf8)[...]
        while true {
            rest = rest.drop { WhiteSpace.contains($0) || $0 == UInt8(ascii: ",") }
            var address = rest.prefix { !WhiteSpace.contains($0) }
            guard !address.isEmpty else { break }
            rest = rest.dropFirst(address.count)
            var descriptor = ""
            if address.last == UInt8(ascii: ",") {
                while address.last == UInt8(ascii: ",") { address.removeLast() }
            } else {
                let text = rest.prefix { $0 != UInt8(ascii: ",") }
                descriptor = WhiteSpace.trimmed(String(decoding: text, as: UTF8.self))
                rest = rest.dropFirst(text.count)
            }
            let parts = descriptor.split(separator: " ")
            func number(_ unit: String) -> Double? {
                parts.first { $0.hasSuffix(unit) }.flatMap { Double($0.dropLast()) }
            }
            candidates.append(
                Candidate(
                    address: String(decoding: address, as: UTF8.self), width: number("w"), density: number("x") ?? 1))
        }
        self.candidates = candidates
    }
}

extension [Srcset.Candidate] {
    /// The largest candidate; the first one if several are equally large.
    var largest: Srcset.Candidate? {
        var best: Srcset.Candidate?
        for candidate in self {
            guard let largest = best else {
                best = candidate
                continue
            }
            if (candidate.width ?? 0, candidate.density) > (largest.width ?? 0, largest.density) { best = candidate }
        }
        return best
    }
}
