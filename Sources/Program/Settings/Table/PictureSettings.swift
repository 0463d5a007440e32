package import Imaging

/// The settings of the pictures that are published, and of the work on them.
package struct PictureSettings: SettingGroup {
    package static let title = "Pictures"
    package static let table = PictureSettings()

    package let filter = Setting(
        "filter", .filter, default: FilterChain.standard.description,
        help: "Filter chain, CSS Filter Effects syntax; none for no filter.",
        details: """
            The functions are `sepia() grayscale() saturate() brightness() contrast() invert() hue-rotate()`, in any order. \
            The `filter` of a photo in the list goes before this one.
            """)

    package let widths = Setting(
        "widths", .widths, default: "320,800,1600", help: "Derivative widths in pixels; never upscaled.")

    package let quality = Setting(
        "quality", .integer(1...100), default: "82", help: "JPEG quality.",
        details: "From 90 on colours are stored at full size (4:4:4). WebP is encoded to look the same.")

    package let formats = Setting(
        "formats", .formats, default: "jpeg",
        help: "Published formats: jpeg, or jpeg,webp for browsers to choose from.",
        details: "Transparent pictures are published as PNG in place of JPEG.")

    package let noOriginals = Setting(
        "no-originals", .toggle, default: "false",
        help: "Publish the unfiltered picture too, for the before/after view.",
        details: "It is published at the largest width.")

    package let maxPixels = Setting("max-pixels", .pixels, default: "200MP", help: "The largest picture taken.")

    package let jobs = Setting(
        "jobs", .integer(1...256), unset: "one a core", example: "4", help: "Photos filtered at once.")

    package let memory = Setting(
        "memory", .bytes, default: "512MB",
        help: "Memory for all photos under way; a photo that alone needs more fails.",
        details: """
            Photos wait for one another. The reason of one that fails is `too-large`, and its message says what would be \
            enough. The process takes at most this and 100 MB.
            """)
}
