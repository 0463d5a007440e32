package import Imaging

/// The settings of the published pictures and of their processing.
package struct PictureSettings: SettingGroup {
    package static let title = "Pictures"
    package static let table = PictureSettings()

    package let filter = Setting(
        "filter", .filter, default: FilterChain.standard.description,
        help: "Filter chain in CSS Filter Effects syntax; none for no filter.",
        details: """
            The functions are `sepia() grayscale() saturate() brightness() contrast() invert() hue-rotate()`, in any \
            order. The `filter` of a photo in the list overrides it.
            """)

    package let widths = Setting(
        "widths", .widths, default: "400,800,1600",
        help: "Widths of the published pictures, in pixels; none is upscaled.")

    package let quality = Setting(
        "quality", .integer(1...100), default: "82", help: "JPEG quality.",
        details: "From 90, colours are stored at full resolution (4:4:4). WebP is encoded to look the same.")

    package let formats = Setting(
        "formats", .formats, default: "jpeg",
        help: "Published formats: jpeg, or jpeg,webp to let browsers choose.",
        details: "Transparent pictures are published as PNG instead of JPEG.")

    package let noOriginals = Setting(
        "no-originals", .toggle, default: "false",
        help: "Publish the unfiltered picture too, for the before/after view.",
        details: "It is published at the largest width.")

    package let keepVersions = Setting(
        "keep-versions", .integer(0...1_000), default: "1",
        help: "Earlier originals to keep of a photo that changes at its source; 0 for none.",
        details: "`clean --unused` does not remove them. `--show-versions` publishes them.")

    package let showVersions = Setting(
        "show-versions", .toggle, default: "false",
        help: "Publish the kept earlier originals too, for the before/after view.",
        details: """
            They are published with the filter, at the largest width. So a picture that its source has withdrawn \
            stays public.
            """)

    package let maxPixels = Setting("max-pixels", .pixels, default: "200MP", help: "Largest picture to process.")

    package let jobs = Setting(
        "jobs", .integer(1...256), unset: "one per core", example: "4", help: "Photos filtered concurrently.")

    package let memory = Setting(
        "memory", .bytes, default: "512MB",
        help: "Memory for all photos being processed; a photo that needs more fails.",
        details: """
            Photos wait until memory is free. A photo that fails has the reason `too-large`, and its message says how \
            much it needs. With up to 10,000 photos, the process uses at most 100 MB more than this size. \
            [Memory](../explanation/memory.md) says what a larger gallery takes.
            """)
}
