package import Publish
package import Site

/// The paths of changed files of a site, grouped by the phase in which a publication sends them.
package struct ChangesByPhase: Sendable {
    private struct Paths {
        var added: [String] = []
        var changed: [String] = []
        var removed: [String] = []
    }

    private var groups: [PublishGroup: Paths] = [:]

    /// The changes of the output folder.
    package init(_ files: FileChanges) {
        for path in files.added { groups[group(path, isNew: true), default: Paths()].added.append(path) }
        for path in files.changed { groups[group(path, isNew: false), default: Paths()].changed.append(path) }
        for path in files.removed { groups[group(path, isNew: false), default: Paths()].removed.append(path) }
        sort()
    }

    /// The changes of a target. Files that a publication had sent before it broke off are among them, as changed ones,
    /// because nobody has been told of them yet, and it is no longer known which of them were new.
    package init(_ report: PublishReport) {
        for file in report.sent {
            if file.isNew {
                groups[file.phase.group, default: Paths()].added.append(file.path)
            } else {
                groups[file.phase.group, default: Paths()].changed.append(file.path)
            }
        }
        for file in report.sentBefore { groups[file.phase.group, default: Paths()].changed.append(file.path) }
        for path in report.removed { groups[group(path, isNew: false), default: Paths()].removed.append(path) }
        sort()
    }

    package var isEmpty: Bool { groups.isEmpty }

    var json: JSON {
        .object(
            PublishGroup.allCases.map { group in
                let paths = groups[group] ?? Paths()
                return (
                    group.rawValue,
                    [
                        "added": Self.list(paths.added), "changed": Self.list(paths.changed),
                        "removed": Self.list(paths.removed),
                    ]
                )
            })
    }

    private static func list(_ paths: [String]) -> JSON { .list(paths.map { .text($0) }) }

    private func group(_ path: String, isNew: Bool) -> PublishGroup { PublishPhase(path, isNew: isNew).group }

    private mutating func sort() {
        for group in groups.keys {
            groups[group]?.added.sort()
            groups[group]?.changed.sort()
            groups[group]?.removed.sort()
        }
    }
}
