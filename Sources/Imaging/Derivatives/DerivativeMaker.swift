internal import CImageCodecs
internal import Foundation
internal import PhotoModel

/// Makes the derivatives of originals. This is the entry point of the module.
///
/// An original is decoded once, and its rows flow through all stages. They are decoded (at a fraction of the size if
/// the format allows it), reduced to each size, turned upright, filtered and encoded. Memory grows with the width of
/// the picture, not with its area. There are two exceptions: a picture that is turned is held whole in its reduced
/// size, and an interlaced or progressive picture is held whole as it is decoded.
package struct DerivativeMaker: Sendable {
    private let options: DerivativeOptions

    package init(options: DerivativeOptions) {
        self.options = options
    }

    /// Reads the header of an original, but none of its pixels.
    ///
    /// - Throws: `.picture` if the file is not a picture, has a format that is not read, or states more pixels than
    ///   allowed; `.read` if it can't be read.
    package func header(ofOriginalAt path: String) throws(ImagingError) -> PictureHeader {
        try open(try OriginalFile(path: path)).header
    }

    /// The estimated time and memory for all derivatives of an original.
    ///
    /// - Throws: the errors of `header(ofOriginalAt:)`.
    package func estimateCost(originalAt path: String) throws(ImagingError) -> RenderingCost {
        let file = try OriginalFile(path: path)
        guard SniffedFormat(start: try file.firstBytes(SniffedFormat.inspectedBytes)) != .picture(.webp) else {
            // The header of a WebP is read with the whole file, which would need a part of the memory budget.
            return RenderingCost(
                header: nil, duration: WorkEstimate.duration(ofWebPOfLength: try file.length()),
                memory: try presumedMemory(ofWebPAt: path))
        }
        let header = try open(file).header
        return RenderingCost(
            header: header, duration: WorkEstimate.duration(header, options), memory: estimatedMemory(of: header))
    }

    /// The memory for reading the header, in bytes. For a WebP, this is the whole file and the analysis of its
    /// bitstream. For other formats it is next to nothing, which counts as 0.
    package func estimatedMemory(ofHeaderAt path: String) throws(ImagingError) -> Int {
        let file = try OriginalFile(path: path)
        let kind = SniffedFormat(start: try file.firstBytes(SniffedFormat.inspectedBytes))
        return kind == .picture(.webp) ? try file.length() + LosslessPrologue.maxBytes : 0
    }

    /// The least memory for the derivatives of a WebP, in bytes, according to its first bytes. Messages state it if the
    /// limit on memory does not even allow the header to be read.
    package func presumedMemory(ofWebPAt path: String) throws(ImagingError) -> Int {
        let header = try PictureHeader.presumed(ofWebP: try OriginalFile(path: path))
        let cost = header.storedWidth > 0 ? estimatedMemory(of: header) : 0
        return max(cost, try estimatedMemory(ofHeaderAt: path))
    }

    /// The metadata of the header that the ledger stores.
    package func metadata(ofOriginalAt path: String) throws(ImagingError) -> ImageMetadata {
        try header(ofOriginalAt: path).metadata
    }

    /// The most memory that all derivatives of an original need, in bytes. It is known before memory for pixels is
    /// allocated, so that a `MemoryBudget` can make photos wait, and it is never too low.
    package func estimatedMemory(of header: PictureHeader) -> Int { MemoryEstimate.bytes(header, options) }

    /// Makes the wanted derivatives of one original as files in `directory`, decoding it once.
    ///
    /// Each file is written under a temporary name that starts with a dot, and renamed when all are finished. An
    /// existing file of the same name is replaced. After a failure no file remains. Files are not synchronised with the
    /// disk, because only the caller knows when that matters.
    ///
    /// - Parameters:
    ///   - wanted: some or all of the derivatives that `DerivativeSpec.all` returns for this original and these
    ///     options.
    ///   - path: the path of the original.
    ///   - directory: the folder of the files.
    ///   - isCancelled: a closure that is called every few dozen rows, and while WebP is compressed.
    package func make(
        _ wanted: [DerivativeSpec], original path: String, into directory: String, isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> MadeDerivatives {
        guard !isCancelled() else { throw .cancelled }
        return try make(wanted, of: try open(try OriginalFile(path: path)), into: directory, isCancelled: isCancelled)
    }

    /// Makes the derivatives of an original that has an alpha channel, but only opaque pixels.
    ///
    /// - Returns: nil, without making any file, if a pixel is not opaque.
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
        // Swift's own allocations end the process if there is no memory.
        guard codec_can_allocate(needed) else { throw .picture(.noMemory(needed: Int64(needed))) }
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
        let resizePlan = ResizePlan(decoder.header.metadata, widths: options.widths)
        let decoded = try decoder.start(shrink: resizePlan.shrink)
        let pipeline = try DerivativePipeline(
            wanted, of: decoder.header, decoded: decoded, resizePlan: resizePlan, options: options, directory: directory
        )
        try decoder.decodeColours(decoded, into: pipeline.root, isCancelled: isCancelled)
        return MadeDerivatives(
            bytes: try pipeline.finish(isCancelled: isCancelled), profileProblem: decoder.profileProblem)
    }

    /// The colour that is shown in place of a picture until the picture has loaded.
    ///
    /// The colour is sampled from the finished derivative, not while that is rendered, so the same file always has the
    /// same colour, no matter when it was made.
    ///
    /// - Parameter path: the path of the narrowest derivative, which takes next to no time to decode.
    /// - Returns: "#rrggbb", or "transparent" if nothing is visible.
    package static func colour(ofDerivativeAt path: String) throws(ImagingError) -> String {
        let decoder = try openPicture(try OriginalFile(path: path), maxPixels: .max)
        // Except for rounding, the average of the picture is the average of its blocks' averages.
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
        let picture = decoder.header.metadata
        let resizePlan = ResizePlan(picture, widths: options.widths)
        let largest = resizePlan.widths.last.map { max($0, resizePlan.height(forWidth: $0)) } ?? 0
        guard picture.hasTransparency || largest <= PictureFormat.longestSideOfJPEG else {
            throw .picture(.unsupportedFormat("\(picture.format.rawValue.uppercased()) of over 65500 pixels a side"))
        }
        return decoder
    }
}

/// The derivatives that were made of an original.
package struct MadeDerivatives: Sendable {
    /// The length of each file, in bytes.
    package let bytes: [DerivativeSpec: Int64]
    /// A problem with the colours that the user should know of; nil if there is none.
    package let profileProblem: ProfileProblem?
}
