package import Downloads
internal import Foundation
package import Imaging
internal import Manifest
internal import PhotoModel

/// Parsers of settings: durations, sizes, lists, switches.
package enum SettingParsers {
    package static func integer(_ range: ClosedRange<Int>) -> @Sendable (String) -> Int? {
        { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Parses a duration such as "10s", "2m", "500ms", "1h" or "1.5s", at least 1 ms.
    package static func duration(_ text: String) -> Duration? { QuantityText.duration(text) }

    /// Parses "0", which means no wait, or a duration.
    package static func wait(_ text: String) -> Duration? { text == "0" ? .zero : duration(text) }

    /// Parses "auto" or a duration. 0, with or without a unit, means that an original is never fresh.
    package static func maxAge(_ text: String) -> MaxAge? {
        if text == "auto" { return .auto }
        return QuantityText.isZero(text) ? .fixed(.zero) : duration(text).map { .fixed($0) }
    }

    /// Parses "auto" or a duration; 0, with or without a unit, means that the server is always asked.
    package static func minAge(_ text: String) -> MinAge? {
        if text == "auto" { return .auto }
        return QuantityText.isZero(text) ? .zero : duration(text).map { MinAge($0) }
    }

    /// Parses a size such as "100MB", "512kB" or "64MiB", or a number of bytes without a unit, at least 1.
    package static func bytes(_ text: String) -> Int64? {
        let units: [(String, Double)] = [
            ("KiB", 1_024), ("MiB", 1_048_576), ("GiB", 1_073_741_824),
            ("kB", 1e3), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("B", 1), ("", 1),
        ]
        return QuantityText.scaled(text, units: units, minimum: 1, maximum: 1e15).map { Int64($0) }
    }

    /// Parses a number of pixels with or without a unit, such as "200MP", at least 1.
    package static func pixels(_ text: String) -> Int? {
        QuantityText.scaled(text, units: [("MP", 1e6), ("", 1)], minimum: 1, maximum: 1e12).map { Int($0) }
    }

    /// Parses a list of widths such as "400,800,1600". The result is ascending and has each width once.
    package static func widths(_ text: String) -> [Int]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let widths = parts.compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        guard widths.count == parts.count, widths.count <= 16, widths.allSatisfy({ (1...20_000).contains($0) }) else {
            return nil
        }
        return Set(widths).sorted()
    }

    package static func filter(_ text: String) -> FilterChain? {
        // `filterProblem` reports the mistake.
        try? FilterChain(parsing: text)
    }

    package static func filterProblem(_ text: String) -> String? {
        do throws(FilterSyntaxError) {
            _ = try FilterChain(parsing: text)
            return nil
        } catch {
            return error.description
        }
    }

    package static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }

    /// Returns the text if people can see any of it.
    package static func text(_ text: String) -> String? {
        text.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : text
    }

    /// Returns the text if a header field can contain it, that is, if it has no line breaks or other control
    /// characters, and people can see any of it.
    package static func fieldValue(_ text: String) -> String? {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? self.text(text) : nil
    }

    /// Returns the text if a comment in a header field can contain it unescaped (RFC 9110 §5.6.5).
    package static func contact(_ text: String) -> String? {
        fieldValue(text).flatMap { text in text.contains { "()\\".contains($0) } ? nil : text }
    }

    /// Parses a number of requests per second.
    package static func rate(_ text: String) -> Double? {
        QuantityText.scaled(text, units: [("", 1)], minimum: 0.001, maximum: 1000)
    }

    /// Parses an absolute http or https address without query or fragment. The result ends with a slash. In its path,
    /// spaces and letters beyond ASCII are percent-encoded, because feeds and sitemaps require it.
    package static func baseURL(_ text: String) -> String? {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty, parts.query == nil,
            parts.fragment == nil, parts.user == nil
        else { return nil }
        guard let url = WrittenAddress.link(text) else { return nil }
        return url.hasSuffix("/") ? url : url + "/"
    }

    /// Parses an absolute http or https address without user, password or fragment.
    package static func pingURL(_ text: String) -> String? {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty, parts.fragment == nil,
            parts.user == nil, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return text
    }

    /// Checks the form of a BCP 47 tag: letters, digits and hyphens, beginning with two to eight letters.
    package static func language(_ text: String) -> String? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isTag = parts.allSatisfy { part in
            (1...8).contains(part.utf8.count)
                && part.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0 & ~32) }
        }
        guard isTag, let first = parts.first, first.utf8.count >= 2, first.utf8.allSatisfy({ $0 >= 65 }) else {
            return nil
        }
        return text
    }
}
