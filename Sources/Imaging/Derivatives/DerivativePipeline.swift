internal import PhotoModel

/// The stages that a picture flows through, from its decoded rows to all its files.
///
///     decoded ── reduce ─┬─ turn ─┬─ filter ─┬─ encode    1600, filtered, JPEG
///                        │        │          └─ encode    1600, filtered, WebP
///                        │        └─ encode               1600, unfiltered, JPEG
///                        └─ reduce ─ …                    800
///
/// A smaller size is reduced from the samples of a larger one, before these are rounded to 8 bits.
struct DerivativePipeline {
    let root: any RowConsumer
    private let writers: [DerivativeWriter]

    init(
        _ wanted: [DerivativeSpec], of header: PictureHeader, decoded: RowShape, resizePlan: ResizePlan,
        options: DerivativeOptions, directory: String
    ) throws(ImagingError) {
        var writers: [Int: [DerivativeWriter]] = [:]
        for spec in wanted {
            guard resizePlan.widths.contains(spec.width), resizePlan.height(forWidth: spec.width) == spec.height,
                spec.format.suits(header)
            else {
                throw .picture(.damaged(.changedFile))
            }
            let writer = try DerivativeWriter(
                spec, channels: decoded.channels, quality: options.quality, directory: directory)
            writers[spec.width, default: []].append(writer)
        }
        let stages = Stages(
            resizePlan: resizePlan, needed: resizePlan.closure(of: Set(writers.keys)), writers: writers,
            orientation: header.orientation, channels: decoded.channels, filter: options.filter)
        // If the size is no multiple of the shrink, the last decoded row or column is covered only in part.
        root = RowTee(
            stages.afterRows(
                of: decoded, parent: nil,
                extent: (
                    Double(header.storedWidth) / Double(resizePlan.shrink),
                    Double(header.storedHeight) / Double(resizePlan.shrink)
                )))
        self.writers = wanted.flatMap { spec in (writers[spec.width] ?? []).filter { $0.spec == spec } }
    }

    /// Finishes all files and gives them their names.
    func finish(isCancelled: () -> Bool) throws(ImagingError) -> [DerivativeSpec: Int64] {
        var bytes: [DerivativeSpec: Int64] = [:]
        for writer in writers { bytes[writer.spec] = try writer.finish(isCancelled: isCancelled) }
        do {
            for writer in writers { try writer.file.commit() }
        } catch {
            for writer in writers { writer.file.remove() }
            throw error
        }
        return bytes
    }
}

/// Makes the stages of a pipeline.
private struct Stages {
    let resizePlan: ResizePlan
    /// The widths that are made: those of files, and those that others are reduced from.
    let needed: Set<Int>
    let writers: [Int: [DerivativeWriter]]
    let orientation: Orientation
    let channels: Int
    let filter: FilterChain

    /// The stages after the decoded rows, or after those of a width that is the decoded one.
    /// - Parameters:
    ///   - parent: the width of the rows; nil for the decoded ones.
    ///   - extent: the pixels and rows that the rows really cover.
    func afterRows(
        of source: RowShape, parent: Int?, extent: (width: Double, height: Double)
    ) -> [any RowConsumer] {
        widths(below: parent).flatMap { width -> [any RowConsumer] in
            let stored = storedShape(width)
            guard source != stored || extent != (Double(source.width), Double(source.height)) else {
                return files(width) + afterRows(of: source, parent: width, extent: extent)
            }
            return [
                RowReducer(
                    from: source, extent: extent, to: stored, next: RowTee(files(width)),
                    smaller: afterSamples(of: width))
            ]
        }
    }

    /// The stages after the samples of a width that was reduced.
    private func afterSamples(of parent: Int) -> [SampleReducer] {
        widths(below: parent).map { width in
            SampleReducer(
                from: storedShape(parent), to: storedShape(width), next: RowTee(files(width)),
                smaller: afterSamples(of: width))
        }
    }

    /// The widths that are reduced from `parent`, the widest first.
    private func widths(below parent: Int?) -> [Int] {
        resizePlan.widths.reversed().filter { needed.contains($0) && resizePlan.parents[$0] == parent }
    }

    /// The files of one size: turned upright, and some of them filtered.
    private func files(_ width: Int) -> [any RowConsumer] {
        guard let writers = writers[width] else { return [] }
        let filtered = writers.filter { $0.spec.kind == .filtered }
        let upright = RowShape(width: width, height: resizePlan.height(forWidth: width), channels: channels)
        let files: [any RowConsumer] =
            filter.isEmpty || filtered.isEmpty
            ? writers
            : [FilterStage(filter, shape: upright, next: RowTee(filtered))]
                + writers.filter { $0.spec.kind == .unfiltered }
        guard orientation != .upright else { return files }
        return [AutoOrient(orientation, stored: storedShape(width), next: RowTee(files))]
    }

    /// The shape of a size as the original is stored, before it is turned.
    private func storedShape(_ width: Int) -> RowShape {
        let height = resizePlan.height(forWidth: width)
        return orientation.transposes
            ? RowShape(width: height, height: width, channels: channels)
            : RowShape(width: width, height: height, channels: channels)
    }
}

extension PictureFormat {
    /// Whether pictures with this header are written in this format.
    fileprivate func suits(_ header: PictureHeader) -> Bool {
        switch self {
        case .jpeg: !header.hasTransparency
        case .png: header.hasTransparency
        case .webp: true
        }
    }
}
