import Downloads
import Gallery
import Imaging
import PhotoModel
import Site
import Testing

/// A case of the plan's tests: it changes an option, and `sentences` is the whole plan that follows.
struct PlanChange: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let apply: @Sendable (inout PlanWorld) throws -> Void
    let sentences: [String]

    init(_ name: String, _ sentences: [String], _ apply: @escaping @Sendable (inout PlanWorld) throws -> Void) {
        testDescription = name
        self.sentences = sentences
        self.apply = apply
    }
}

extension PlanChange {
    static let all: [PlanChange] = [
        PlanChange(
            "filter",
            ["Lighthouse", "Stamp", "Leaf"].map { "\($0): filter sepia(0.8) → sepia(0.6)" }
                + ["pages: filter sepia(0.8) → sepia(0.6)"]
        ) {
            $0.filter = try FilterChain(parsing: "sepia(0.6)")
            $0.settings.filter = "sepia(0.6)"
        },
        PlanChange("filter of one photo", ["Stamp: filter sepia(0.8) → invert(1)"]) {
            $0.photos[1].filter = try FilterChain(parsing: "invert(1)")
        },
        // The small picture is not enlarged: it is published at its own width, whatever the widths are.
        PlanChange("widths", ["Lighthouse", "Leaf"].map { "\($0): widths 320, 800 → 320, 640" }) {
            $0.widths = [320, 640]
        },
        PlanChange("widths in another order", []) { $0.widths = [800, 320, 320] },
        // PNG has no quality setting.
        PlanChange("quality", ["Lighthouse", "Stamp"].map { "\($0): quality 82 → 90" }) { $0.quality = 90 },
        PlanChange("formats", ["Lighthouse", "Stamp", "Leaf"].map { "\($0): formats jpeg → jpeg,webp" }) {
            $0.formats = .jpegAndWebP
        },
        PlanChange(
            "formats and quality",
            ["Lighthouse", "Stamp"].map { "\($0): quality 82 → 90, formats jpeg → jpeg,webp" }
                + ["Leaf: formats jpeg → jpeg,webp"]
        ) {
            $0.formats = .jpegAndWebP
            $0.quality = 90
        },
        PlanChange("originals", ["Lighthouse", "Stamp", "Leaf"].map { "\($0): originals published → not published" }) {
            $0.publishesUnfiltered = false
        },
        PlanChange(
            "filter and quality",
            ["Lighthouse", "Stamp"].map { "\($0): filter sepia(0.8) → none, quality 82 → 90" }
                + ["Leaf: filter sepia(0.8) → none"]
        ) {
            $0.filter = .none
            $0.quality = 90
        },
        PlanChange("max-pixels, below a picture", ["Lighthouse: it exceeds the limit on pixels"]) {
            $0.maxPixels = 1_000_000
        },
        PlanChange("max-pixels, above all", []) { $0.maxPixels = 9_000_000 },
        PlanChange("title", ["pages: title Lakes → Seas"]) { $0.settings.title = "Seas" },
        PlanChange("per-page", ["pages: per-page 60 → 24"]) { $0.settings.perPage = 24 },
        PlanChange("language", ["pages: language en → de"]) { $0.settings.language = "de" },
        PlanChange("base-url", ["pages: base-url none → https://example.org/"]) {
            $0.settings.baseURL = "https://example.org/"
        },
        PlanChange("version of the program", ["pages: generator gallerygen 1 → gallerygen 2"]) {
            $0.settings.generator = "gallerygen 2"
        },
        PlanChange("templates", ["pages: the templates changed"]) {
            $0.overrides["assets/mine.css"] = Array("p{}".utf8)
        },
        PlanChange("list", ["pages: the list changed"]) { $0.manifest = "another list" },
        PlanChange(
            "max-age",
            ["Lighthouse", "Stamp"].map { "\($0): not checked since 2027-01-15T07:59:50Z, revalidating" }
        ) { $0.maxAge = .fixed(.seconds(5)) },
        PlanChange("force", ["Lighthouse", "Stamp", "Leaf"].map { "\($0): forced" } + ["pages: forced"]) {
            $0.isForced = true
        },
    ]
}
