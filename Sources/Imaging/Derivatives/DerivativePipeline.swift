internal import PhotoModel

/// The stages that a picture flows through, from its decoded rows to all its files.
///
///     decoded ─┬─ reduce ─ turn ─┬─ filter ─┬─ encode    1600, filtered, JPEG
///              │                 │          └─ encode    1600, filtered, WebP
///              │                 ├─ encode               1600, unfiltered, JPEG
///              │                 └─ reduce ─ …           800
///              └─ …
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
        let needed = resizePlan.closure(of: Set(writers.keys))

        /// The stages of all widths that are reduced from `parent`, whose rows have the shape `source`.
        func stages(below parent: Int?, source: RowShape) -> [any RowConsumer] {
            resizePlan.widths.reversed().filter { needed.contains($0) && resizePlan.parents[$0] == parent }.map {
                width in
                let upright = RowShape(
                    width: width, height: resizePlan.height(forWidth: width), channels: decoded.channels)
                let files = Self.files(writers[width] ?? [], of: upright, filter: options.filter)
                let next = RowTee(files + stages(below: width, source: upright))
                return parent == nil
                    ? Self.reduceAndTurn(decoded, of: header, shrink: resizePlan.shrink, to: upright, next: next)
                    : Self.reduce(
                        source, extent: (Double(source.width), Double(source.height)), to: upright, next: next)
            }
        }
        root = RowTee(stages(below: nil, source: decoded))
        self.writers = wanted.flatMap { spec in (writers[spec.width] ?? []).filter { $0.spec == spec } }
    }

    /// The stages that write the files of one size. The filter is applied once for all filtered files.
    private static func files(
        _ writers: [DerivativeWriter], of shape: RowShape, filter: FilterChain
    ) -> [any RowConsumer] {
        let filtered = writers.filter { $0.spec.kind == .filtered }
        guard !filter.isEmpty, !filtered.isEmpty else { return writers }
        let stage = FilterStage(filter, shape: shape, next: RowTee(filtered))
        return [stage] + writers.filter { $0.spec.kind == .unfiltered }
    }

    /// Finishes all files and gives them their names.
    func finish(isCancelled: () -> Bool) throws(ImagingError) -> [DerivativeSpec: Int64] {
        var bytes: [DerivativeSpec: Int64] = [:]
        for writer in writers { bytes[writer.spec] = try writer.finish(isCancelled: isCancelled) }
        do {
            for writer in writers { try writer.file.keep() }
        } catch {
            for writer in writers { writer.file.remove() }
            throw error
        }
        return bytes
    }

    /// The stages from decoded rows, in their stored orientation, to an upright size.
    private static func reduceAndTurn(
        _ decoded: RowShape, of header: PictureHeader, shrink: Int, to upright: RowShape, next: any RowConsumer
    ) -> any RowConsumer {
        let turns = header.orientation.transposes
        let stored = RowShape(
            width: turns ? upright.height : upright.width, height: turns ? upright.width : upright.height,
            channels: upright.channels)
        // If the stored size is not a multiple of the factor, the last decoded row or column is covered only in part.
        let extent = (
            Double(header.storedWidth) / Double(shrink), Double(header.storedHeight) / Double(shrink)
        )
        let turner =
            header.orientation == .upright ? next : AutoOrient(header.orientation, stored: stored, next: next)
        return reduce(decoded, extent: extent, to: stored, next: turner)
    }

    private static func reduce(
        _ source: RowShape, extent: (width: Double, height: Double), to target: RowShape, next: any RowConsumer
    ) -> any RowConsumer {
        source == target && extent == (Double(source.width), Double(source.height))
            ? next : RowReducer(from: source, extent: extent, to: target, next: next)
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
