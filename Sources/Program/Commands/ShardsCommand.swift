internal import ArgumentParser
internal import Foundation
internal import Gallery
internal import PhotoModel

/// `gallerygen shards`: which shards of a shared build are missing.
struct ShardsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shards", abstract: "Show which shards of a shared build are complete, and which are missing.",
        discussion: """
            The exit code is 0 if no shard is missing, and 1 otherwise. The list and the settings of pictures decide \
            which shards are looked for, so give the same ones as to `build --shard`.

              gallerygen shards --store /mnt/work --of 8
              sbatch --array=$(gallerygen shards --store /mnt/work --of 8 --print array) \\
                shards.sbatch
              gallerygen shards --store /mnt/work --of 8 --print lines | \\
                parallel gallerygen build --shard {}/8 --store /mnt/work
            """)

    /// The form in which the shards are printed.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case table, array, lines, json
    }

    @Argument(
        help: ArgumentHelp(
            "Property lists: paths, http(s) URLs or '-'. (default: photos.plist)", valueName: "manifest"),
        completion: .file())
    var manifests: [String] = []
    @OptionGroup(title: LocationSettings.title) var locationFlags: SettingFlags<LocationSettings>
    @OptionGroup(title: PictureSettings.title) var pictureFlags: SettingFlags<PictureSettings>
    @OptionGroup(title: DownloadSettings.title) var downloadFlags: SettingFlags<DownloadSettings>
    @OptionGroup(title: ShardsCommandSettings.title) var sharingFlags: SettingFlags<ShardsCommandSettings>
    @OptionGroup(title: MessageSettings.title) var messageFlags: SettingFlags<MessageSettings>

    @Option(help: ArgumentHelp("The number of shards.", valueName: "n"))
    var of: Int

    @Option(
        help: ArgumentHelp(
            """
            What is printed: a table of all shards, the missing ones as for `sbatch --array` or one a line for GNU \
            parallel, or all of them as JSON.
            """, valueName: "form"))
    var print: Form = .table

    func validate() throws {
        guard Shard(1, of: of) != nil else {
            throw ValidationError("--of: '\(of)' is not allowed; expected a number from 1 to \(Shard.largestCount)")
        }
    }

    func run() throws {
        let given = GivenArguments(
            manifests,
            [
                locationFlags.texts, pictureFlags.texts, downloadFlags.texts, sharingFlags.texts, messageFlags.texts,
            ])
        let context = try CommandContext(given, sendsRequests: true)
        guard context.settings.build.sharing != nil else {
            throw CommandFailure(.usage, "shards needs --store: the folder or bucket with the results")
        }
        let report: ShardReport
        let interruption = ScratchInterruption()
        let signals = Signals(removing: interruption)
        defer { withExtendedLifetime(signals) {} }
        do {
            report = try ShardReport(
                context.settings.build, count: of, readsSummaries: print == .table || print == .json,
                interruption: interruption, warn: context.console.warn)
        } catch {
            throw CommandFailure(error)
        }
        try StandardOutput.write(text(report))
        if print == .table { context.console.info(Self.verdict(report)) }
        if !report.missing.isEmpty { throw CommandFailure(.photosFailed) }
    }

    private func text(_ report: ShardReport) throws -> String {
        switch print {
        case .array: report.missing.isEmpty ? "" : Self.ranges(report.missing) + "\n"
        case .lines: report.missing.map { "\($0)\n" }.joined()
        case .table: Self.rows(report).map { $0 + "\n" }.joined()
        case .json: try Self.json(report)
        }
    }

    /// Indices as `sbatch --array` takes them, such as "2,5-7".
    static func ranges(_ indices: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for index in indices {
            if let last = ranges.last, last.upperBound + 1 == index {
                ranges[ranges.count - 1] = last.lowerBound...index
            } else {
                ranges.append(index...index)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }

    private static func rows(_ report: ShardReport) -> [String] {
        let complete = Dictionary(uniqueKeysWithValues: report.complete.map { ($0.shard.index, $0.summary) })
        let width = "\(report.count)/\(report.count)".count
        return (1...report.count).map { index in
            let name = TextWidth.padded("\(index)/\(report.count)", to: width)
            guard let found = complete[index] else { return "\(name)  missing" }
            guard let summary = found else { return "\(name)  complete" }
            let failed = summary.failed == 0 ? "" : ", \(summary.failed) failed"
            return "\(name)  complete  \(summary.completed)  \(counted(summary.photos, "photo"))\(failed)"
        }
    }

    private static func verdict(_ report: ShardReport) -> String {
        let missing = report.missing
        let shards = counted(report.count, "shard")
        guard missing.isEmpty else {
            return "\(report.count - missing.count) of \(shards) complete; missing: \(ranges(missing))."
        }
        return report.count == 1 ? "The only shard is complete." : "All \(shards) are complete."
    }

    private static func json(_ report: ShardReport) throws -> String {
        struct Row: Encodable {
            let shard: Int
            let completed: Timestamp?
            let photos: Int?
            let failed: Int?
        }
        struct Document: Encodable {
            let count: Int
            let missing: [Int]
            let complete: [Row]
        }
        let rows = report.complete.map { shard, summary in
            Row(
                shard: shard.index, completed: summary?.completed, photos: summary?.photos, failed: summary?.failed)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let document = Document(count: report.count, missing: report.missing, complete: rows)
        return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }
}

/// The settings of the store that `shards` needs.
struct ShardsCommandSettings: SettingGroup {
    static let title = SharingSettings.title
    static let table = ShardsCommandSettings()

    let store = SharingSettings.table.store
    let shardBy = SharingSettings.table.shardBy
    let s3Endpoint = SharingSettings.table.s3Endpoint
}
