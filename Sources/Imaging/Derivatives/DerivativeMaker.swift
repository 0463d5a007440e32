internal import CImageCodecs
internal import Foundation
internal import PhotoModel

/// Makes the derivatives of originals. This is the entry point of the module.
///
/// An original is decoded once, and its rows flow through all stages: decoded (at a fraction of the size where the
/// format allows), reduced to each size, turned upright, filtered, encoded. Memory grows with the width of the
/// picture, not with its area, except that a turned picture is held in its reduced size and an interlaced or
/// progressive one as it is decoded.
package struct DerivativeMaker: Sendable {
    private let options: DerivativeOptions

    package init(options: DerivativeOptions) {
        self.options = options
    }

    /// Reads the header of an original, and no pixel.
    ///
    /// - Throws: `.picture` for what is no picture, is in a format that is not read, or claims more pixels than
    ///   allowed; `.read`.
    package func header(ofOriginalAt path: String) throws(ImagingError) -> PictureHeader {
        try open(try OriginalFile(path: path)).header
    }

    /// The estimated time for all derivatives of an original.
    ///
    /// - Throws: as `header(ofOriginalAt:)`.
    package func estimateCost(originalAt path: String) throws(ImagingError) -> RenderingCost {
        let file = try OriginalFile(path: path)
        guard SniffedFormat(start: try file.start(SniffedFormat.inspectedBytes)) != .picture(.webp) else {
            // The header of a WebP is read with the whole file, which would need a part of the memory budget.
            return RenderingCost(header: nil, duration: WorkEstimate.duration(ofWebPOfLength: try file.length()))
        }
        let header = try open(file).header
        return RenderingCost(header: header, duration: WorkEstimate.duration(header, options))
    }

    /// The memory for reading the header, in bytes: for a WebP the whole file and the analysis of its coding; for
    /// other formats next to nothing, which counts as 0.
    package func estimatedMemory(ofHeaderAt path: String) throws(ImagingError) -> Int {
        let file = try OriginalFile(path: path)
        let kind = SniffedFormat(start: try file.start(SniffedFormat.inspectedBytes))
        return kind == .picture(.webp) ? try file.length() + LosslessPrologue.mostBytes : 0
    }

    /// The least memory for the derivatives of a WebP whose header must not even be read, in bytes.
    package func presumedMemory(ofWebPAt path: String) throws(ImagingError) -> Int {
        let header = try PictureHeader.presumed(ofWebP: try OriginalFile(path: path))
        let cost = header.storedWidth > 0 ? estimatedMemory(of: header) : 0
        return max(cost, try estimatedMemory(ofHeaderAt: path))
    }

    /// The facts of the header that the ledger keeps.
    package func facts(ofOriginalAt path: String) throws(ImagingError) -> ImageMetadata {
        try header(ofOriginalAt: path).facts
    }

    /// The most memory that all derivatives of an original need, in bytes: known before anything is allocated for
    /// pixels, so that a `MemoryBudget` can make photos wait. Never too low.
    package func estimatedMemory(of header: PictureHeader) -> Int { MemoryEstimate.bytes(header, options) }

    /// Makes the wanted derivatives of one original as files in `directory`, decoding it once.
    ///
    /// Each file is written under a temporary name that starts with a dot, and renamed when all are finished; a file
    /// that already has the name is replaced. After a failure none remains. Files are not synchronised with the disk:
    /// that is left to the caller, who knows when it matters.
    ///
    /// - Parameters:
    ///   - wanted: any of those that `DerivativeSpec.all` gives for this original and these options.
    ///   - isCancelled: asked every few dozen rows, and while WebP is compressed.
    package func make(
        _ wanted: [DerivativeSpec], original path: String, into directory: String, isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> MadeDerivatives {
        guard !isCancelled() else { throw .cancelled }
        return try make(wanted, of: try open(try OriginalFile(path: path)), into: directory, isCancelled: isCancelled)
    }

    /// Makes the derivatives of an original with an alpha channel all of whose pixels are opaque.
    ///
    /// - Returns: nil, and no file, if a pixel is not opaque.
    package func makeOpaque(
        _ wanted: [DerivativeSpec], original path: String, into directory: String, isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> MadeDerivatives? {
        guard !isCancelled() else { throw .cancelled }
        let decoder = try open(try OriginalFile(path: path))
        guard decoder.header.hasTransparency else {
            return try make(wanted, of: decoder, into: directory, isCancelled: isCancelled)
        }
        let opaque = OpaquePicture(decoder)
        do {
            return try make(wanted, of: opaque, into: directory, isCancelled: isCancelled)
        } catch .cancelled where opaque.foundTransparency {
            return nil
        }
    }

    private func make(
        _ wanted: [DerivativeSpec], of decoder: any PictureDecoder, into directory: String,
        isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> MadeDerivatives {
        let needed = estimatedMemory(of: decoder.header)
        // Swift's own allocations end the process where there is no memory.
        guard codec_memory_is_there(needed) else { throw .picture(.noMemory(needed: Int64(needed))) }
        do {
            return try makeFiles(wanted, of: decoder, into: directory, isCancelled: isCancelled)
        } catch .read(_, ENOMEM), .write(_, ENOMEM) {
            throw .picture(.noMemory(needed: Int64(needed)))
        }
    }

    private func makeFiles(
        _ wanted: [DerivativeSpec], of decoder: any PictureDecoder, into directory: String,
        isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> MadeDerivatives {
        let resizePlan = ResizePlan(decoder.header.facts, widths: options.widths)
        let decoded = try decoder.start(shrink: resizePlan.shrink)
        let pipeline = try DerivativePipeline(
            wanted, of: decoder.header, decoded: decoded, resizePlan: resizePlan, options: options, directory: directory
        )
        try decoder.decodeColours(decoded, into: pipeline.root, isCancelled: isCancelled)
        return MadeDerivatives(
            bytes: try pipeline.finish(isCancelled: isCancelled), profileProblem: decoder.profileProblem)
    }

    /// The colour to show in the place of a picture until it is there.
    ///
    /// The colour is sampled from the finished derivative and not while it is rendered, so it is the same for the same
    /// file, whenever that was made.
    ///
    /// - Parameter path: of the narrowest derivative, which costs next to nothing.
    /// - Returns: "#rrggbb", or "transparent" where nothing is visible.
    package static func colour(ofDerivativeAt path: String) throws(ImagingError) -> String {
        let decoder = try openPicture(try OriginalFile(path: path), maxPixels: .max)
        // The average of the picture is that of the averages of its blocks, but for rounding.
        let shape = try decoder.start(shrink: decoder.header.format == .jpeg ? 8 : 1)
        let sample = ColourSample(shape)
        try decoder.decodeColours(shape, into: sample) { false }
        return sample.colour
    }

    private func open(_ file: OriginalFile) throws(ImagingError) -> any PictureDecoder {
        let decoder: any PictureDecoder
        do {
            decoder = try openPicture(file, maxPixels: options.maxPixels)
        } catch .read(_, ENOMEM) {
            throw .picture(.noMemory(needed: Int64(try file.length())))
        }
        let picture = decoder.header.facts
        let resizePlan = ResizePlan(picture, widths: options.widths)
        let largest = resizePlan.widths.last.map { max($0, resizePlan.height(forWidth: $0)) } ?? 0
        guard picture.hasTransparency || largest <= PictureFormat.longestSideOfJPEG else {
            throw .picture(.unsupportedFormat("\(picture.format.rawValue.uppercased()) of over 65500 pixels a side"))
        }
        return decoder
    }
}

/// The derivatives made of an original.
package struct MadeDerivatives: Sendable {
    /// The length of each file.
    package let bytes: [DerivativeSpec: Int64]
    /// A problem with the colours that the user may want to know.
    package let profileProblem: ProfileProblem?
}
