internal import Foundation
package import PhotoModel

/// The figures of `--metrics` about a gallery and its last build.
package struct BuildMetrics: Hashable, Sendable {
    /// The value of the label `gallery`: the absolute path of the output folder. Files of several galleries are
    /// collected together, and no two of their samples may be the same.
    private let gallery: String
    /// The samples by the name of their metric, in the order of the file.
    private var samples: [String: [Sample]] = [:]

    struct Sample: Hashable, Sendable {
        /// The label that distinguishes the samples of a metric, besides `gallery`; nil if there is only one.
        let label: String?
        let value: Double
    }

    /// A metric: its name, what it means, and the name of its label if it has several samples.
    private struct Metric {
        let name: String
        let help: String
        var label: String?
    }

    private static let photos = Metric(
        name: "gallerygen_photos", help: "Photos of the list by state.", label: "state")
    private static let marks = Metric(
        name: "gallerygen_marked_photos",
        help: "Photos with a mark, such as stale: a picture that can't be refreshed.", label: "mark")
    private static let exitCode = Metric(
        name: "gallerygen_build_exit_code", help: "Exit code of the last build.")
    private static let duration = Metric(
        name: "gallerygen_build_duration_seconds", help: "Time that the last build took, with its publication.")
    private static let received = Metric(
        name: "gallerygen_build_received_bytes", help: "Bytes that the last build received from servers.")
    private static let success = Metric(
        name: "gallerygen_last_success_timestamp_seconds",
        help: "Time of the last build after which the site was up to date and published.")
    private static let all = [photos, marks, exitCode, duration, received, success]

    package init(gallery: String) { self.gallery = gallery }

    /// Whether a file was written by this program.
    static func isOurs(_ text: String) -> Bool { text.hasPrefix("# HELP gallerygen_") }

    package mutating func set(photos counts: [PhotoState: Int]) {
        samples[Self.photos.name] = PhotoState.allCases.map {
            Sample(label: $0.rawValue, value: Double(counts[$0] ?? 0))
        }
    }

    /// - Parameter counts: the number of photos with each mark, by the code of the mark.
    package mutating func set(marks counts: [(code: String, count: Int)]) {
        samples[Self.marks.name] = counts.map { Sample(label: $0.code, value: Double($0.count)) }
    }

    /// - Parameter receivedBytes: nil if it is not known.
    package mutating func set(exitCode: Int32, time: Duration, receivedBytes: Int64?) {
        samples[Self.exitCode.name] = [Sample(label: nil, value: Double(exitCode))]
        samples[Self.duration.name] = [Sample(label: nil, value: (time / .milliseconds(1)).rounded() / 1000)]
        samples[Self.received.name] = receivedBytes.map { [Sample(label: nil, value: Double($0))] } ?? []
    }

    package mutating func set(lastSuccess: Timestamp) {
        samples[Self.success.name] = [Sample(label: nil, value: Double(lastSuccess.seconds))]
    }

    /// Takes over from an earlier file what this build does not know: a failed build has counted no photos.
    /// - Parameter text: the file. What can't be read in it counts as unknown.
    package mutating func complete(from text: String) {
        var earlier: [String: [Sample]] = [:]
        for line in text.split(separator: "\n") {
            for metric in Self.all {
                guard let rest = line.removing(prefix: "\(metric.name){\(galleryLabel)") else { continue }
                guard let end = rest.firstRange(of: "} "), let value = Double(rest[end.upperBound...]) else { continue }
                let labels = rest[..<end.lowerBound]
                let label = metric.label.flatMap { labels.removing(prefix: ",\($0)=\"")?.removing(suffix: "\"") }
                guard metric.label == nil ? labels.isEmpty : label != nil else { continue }
                earlier[metric.name, default: []].append(Sample(label: label.map(String.init), value: value))
            }
        }
        samples.merge(earlier) { mine, _ in mine }
    }

    /// The file in the text format of Prometheus, version 0.0.4.
    package var text: String {
        var text = ""
        for metric in Self.all {
            guard let samples = samples[metric.name], !samples.isEmpty else { continue }
            text += "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) gauge\n"
            for sample in samples {
                let label = metric.label.map { ",\($0)=\"\(sample.label ?? "")\"" } ?? ""
                text += "\(metric.name){\(galleryLabel)\(label)} \(Self.number(sample.value))\n"
            }
        }
        return text
    }

    private var galleryLabel: String { "gallery=\"\(Self.escaped(gallery))\"" }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    /// A whole number without a fraction, as people read it.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? String(value)
    }
}

extension Substring {
    fileprivate func removing(prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }

    fileprivate func removing(suffix: String) -> Substring? {
        hasSuffix(suffix) ? dropLast(suffix.count) : nil
    }
}
