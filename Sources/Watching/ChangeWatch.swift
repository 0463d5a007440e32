internal import Foundation

/// Waits until a file that a build has read changes. `wait` and `update` must be called on one thread; `wake` can be
/// called on any thread.
///
/// `@unchecked Sendable` is safe: `wake` only writes to a pipe that is open as long as the watch exists. All other
/// properties belong to the thread that waits.
package final class ChangeWatch: @unchecked Sendable {
    /// Why `wait` returned.
    package enum Outcome: Sendable {
        case changed
        case timedOut
        case woken
    }

    /// How long a watch collects changes, and how often it polls.
    package struct Intervals: Sendable {
        /// Changes that follow one another within this time count as one change.
        let debounce: Duration
        /// The interval at which folders without notifications are polled.
        let poll: Duration

        package init(debounce: Duration = .milliseconds(200), poll: Duration = .seconds(2)) {
            self.debounce = debounce
            self.poll = poll
        }
    }

    private let intervals: Intervals
    private let notifications: FolderNotifications?
    private var points = WatchPoints(WatchedPaths())
    private var paths = WatchedPaths()
    /// The folders that have to be polled, with the state of their entries at the last poll.
    private var polled: [String: [String: FileAttributes]] = [:]
    private let wakeReader: Int32
    private let wakeWriter: Int32

    /// Changes that follow one another are collected for no longer than this.
    private static let debounceLimit = Duration.seconds(2)

    /// - Parameters:
    ///   - isNotified: whether the kernel's notifications are used. If not, all folders are polled.
    ///   - intervals: how long the watch collects changes, and how often it polls.
    package init(isNotified: Bool = true, intervals: Intervals = Intervals()) throws(WatchError) {
        self.intervals = intervals
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw WatchError(code: errno) }
        (wakeReader, wakeWriter) = (ends[0], ends[1])
        // `wake` never blocks.
        _ = fcntl(wakeWriter, F_SETFL, O_NONBLOCK)
        notifications = isNotified ? FolderNotifications() : nil
    }

    deinit {
        close(wakeReader)
        close(wakeWriter)
    }

    /// Watches these paths from now on, and no others.
    /// - Returns: whether some of the paths were not watched before, or led to another folder, so that a change of them
    ///   might have been missed.
    package func update(_ paths: WatchedPaths) -> Bool {
        let points = WatchPoints(paths)
        let isMore = points.hasNamesMissing(in: self.points)
        let before = self.points
        self.paths = paths
        self.points = points
        let folders = points.names.keys
        let (unwatched, isReplaced) = notifications?.watch(only: folders) ?? (Array(folders), false)
        var polled: [String: [String: FileAttributes]] = [:]
        for folder in unwatched { polled[folder] = attributes(in: folder, after: self.polled[folder], of: before) }
        self.polled = polled
        return isMore || isReplaced
    }

    /// Waits for a change, but no longer than `limit`. Changes in quick succession count as one.
    package func wait(for limit: Duration?) -> Outcome {
        let start = ContinuousClock.now
        while true {
            let left = limit.map { $0 - (.now - start) }
            if let left, left <= .zero { return .timedOut }
            let step = polled.isEmpty ? left : min(left ?? intervals.poll, intervals.poll)
            if pause(step) { return .woken }
            if hasChanged() { return debounce() }
        }
    }

    /// Makes the current or next call of `wait` return immediately.
    package func wake() {
        var byte: UInt8 = 1
        // If the pipe is full, the waiting thread wakes up anyway.
        _ = write(wakeWriter, &byte, 1)
    }

    private func debounce() -> Outcome {
        let end = ContinuousClock.now + Self.debounceLimit
        var quiet = ContinuousClock.now + intervals.debounce
        while case let left = min(quiet, end) - .now, left > .zero {
            // The pause also ends early when a file changes that does not matter.
            if pause(left) { return .woken }
            if hasChanged() { quiet = .now + intervals.debounce }
        }
        // New entries can be links or folders that have to be watched as well, and folders can exist now that could not
        // be watched before.
        _ = update(paths)
        return .changed
    }

    /// - Returns: whether the pause was ended by `wake`.
    private func pause(_ duration: Duration?) -> Bool {
        var watched = [
            pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
            pollfd(fd: notifications?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = duration.map { Int32(clamping: max(1, Int64($0 / .milliseconds(1)))) } ?? -1
        guard poll(&watched, nfds_t(watched.count), milliseconds) > 0, watched[0].revents != 0 else { return false }
        var byte: UInt8 = 0
        _ = read(wakeReader, &byte, 1)
        return true
    }

    private func hasChanged() -> Bool {
        var hasChanged = false
        for event in notifications?.events() ?? [] {
            switch event {
            case .uncertain: hasChanged = true
            case .changed(let name, let folder): hasChanged = hasChanged || points.isWatched(name, in: folder)
            }
        }
        for (folder, known) in polled {
            let now = attributes(in: folder)
            if now != known { hasChanged = true }
            polled[folder] = now
        }
        return hasChanged
    }

    /// - Returns: the earlier states of names that were watched before, and the current states of the others.
    private func attributes(
        in folder: String, after known: [String: FileAttributes]?, of before: WatchPoints
    ) -> [String: FileAttributes] {
        let now = attributes(in: folder)
        guard let known else { return now }
        let seen = known.filter { points.isWatched($0.key, in: folder) }
        return now.filter { !before.isWatched($0.key, in: folder) }.merging(seen) { $1 }
    }

    private func attributes(in folder: String) -> [String: FileAttributes] {
        var attributes: [String: FileAttributes] = [:]
        for name in points.names(of: folder) { attributes[name] = FileAttributes(folder + "/" + name) }
        return attributes
    }
}

/// The attributes of a file that change with its content, or the identity of a folder, whatever it contains.
private struct FileAttributes: Hashable {
    let size: Int64
    let inode: UInt64
    let modified: Int64
    let changed: Int64

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        guard status.st_mode & S_IFMT != S_IFDIR else {
            (size, modified, changed) = (0, 0, 0)
            return
        }
        size = Int64(status.st_size)
        #if os(Linux)
            modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
            changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
        #else
            modified = Int64(status.st_mtimespec.tv_sec) * 1_000_000_000 + Int64(status.st_mtimespec.tv_nsec)
            changed = Int64(status.st_ctimespec.tv_sec) * 1_000_000_000 + Int64(status.st_ctimespec.tv_nsec)
        #endif
    }
}
