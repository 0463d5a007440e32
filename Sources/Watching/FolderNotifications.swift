internal import Foundation
internal import PhotoModel

#if os(Linux)
    /// The kernel's notifications about changes in some folders (inotify, Linux). Not thread-safe.
    final class FolderNotifications {
        /// The descriptor to poll for reading.
        let descriptor: Int32
        /// Watch → the paths of its folder: a folder can be reached by several.
        private var folders: [Int32: [String]] = [:]
        private var watches: [String: Int32] = [:]

        /// The events that count as a change: a file was written and closed, a name was added, removed or moved, or
        /// permissions changed.
        private static let changes = UInt32(
            IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF
                | IN_MOVE_SELF)

        /// A change that the kernel has reported.
        enum Event: Hashable {
            case changed(name: String, folder: String)
            /// A folder was removed or moved, or the kernel's queue of events overflowed.
            case uncertain
        }

        /// - Returns: nil if the system has no notifications.
        init?() {
            descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard descriptor >= 0 else { return nil }
        }

        deinit { close(descriptor) }

        /// Watches these folders from now on, and no others. A folder that was replaced by another at its path is
        /// watched instead of the old one: the kernel watches folders, not paths, and does not report that a parent
        /// was moved.
        /// - Returns: the folders that the kernel can't watch, because too many are watched already or because other
        ///   machines can change them, and whether a folder was replaced since the last call.
        func watch(only wanted: some Collection<String>) -> (unwatched: [String], isReplaced: Bool) {
            let before = (folders: folders, watches: watches)
            (folders, watches) = ([:], [:])
            var unwatched: [String] = []
            for folder in wanted {
                // Returns the watch that exists if the folder is watched already.
                let watch =
                    FileSystemKind.isShared(folder)
                    ? -1 : inotify_add_watch(descriptor, folder, Self.changes | UInt32(IN_ONLYDIR))
                if watch >= 0 {
                    watches[folder] = watch
                    folders[watch, default: []].append(folder)
                } else {
                    unwatched.append(folder)
                }
            }
            for watch in before.folders.keys where folders[watch] == nil { inotify_rm_watch(descriptor, watch) }
            let isReplaced = before.watches.contains { folder, watch in
                watches[folder] != watch && wanted.contains(folder)
            }
            return (unwatched, isReplaced)
        }

        /// Returns all changes since the last call.
        func events() -> Set<Event> {
            var events: Set<Event> = []
            let size = 64 * 1_024
            let buffer = UnsafeMutableRawBufferPointer.allocate(
                byteCount: size, alignment: MemoryLayout<inotify_event>.alignment)
            defer { buffer.deallocate() }
            while true {
                let count = read(descriptor, buffer.baseAddress, size)
                guard count > 0 else { return events }
                add(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: &events)
            }
        }

        /// Parses events. The kernel writes whole events only, each followed by its name, which is padded with zeros
        /// (inotify(7)).
        private func add(_ bytes: UnsafeRawBufferPointer, to events: inout Set<Event>) {
            let head = MemoryLayout<inotify_event>.size
            var offset = 0
            while offset + head <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let name = bytes[(offset + head)..<(offset + head + Int(event.len))].prefix { $0 != 0 }
                offset += head + Int(event.len)
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    events.insert(.uncertain)
                } else if event.mask & UInt32(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF) != 0 {
                    // The end of a watch that `watch` has removed is no change.
                    if removeWatch(event.wd, isGone: event.mask & UInt32(IN_IGNORED) != 0) { events.insert(.uncertain) }
                } else if !name.isEmpty {
                    for folder in folders[event.wd] ?? [] {
                        events.insert(.changed(name: String(decoding: name, as: UTF8.self), folder: folder))
                    }
                }
            }
        }

        /// - Returns: whether the folder was watched.
        private func removeWatch(_ watch: Int32, isGone: Bool) -> Bool {
            guard let paths = folders.removeValue(forKey: watch) else { return false }
            for path in paths { watches[path] = nil }
            if !isGone { inotify_rm_watch(descriptor, watch) }
            return true
        }
    }
#else
    /// On other systems there are no notifications, and folders are polled.
    final class FolderNotifications {
        /// A change that the kernel has reported, which does not happen on these systems.
        enum Event: Hashable {
            case changed(name: String, folder: String)
            case uncertain
        }

        let descriptor: Int32 = -1

        init?() { return nil }

        func watch(only wanted: some Collection<String>) -> (unwatched: [String], isReplaced: Bool) {
            (Array(wanted), false)
        }

        func events() -> Set<Event> { [] }
    }
#endif
