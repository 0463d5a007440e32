internal import Foundation

#if os(Linux)
    /// The threads of this process, for tests that expect some of them to have ended.
    package enum RunningThreads {
        private struct UnknownForm: Error {
            let line: String
        }

        /// Linux sets this flag for a thread that is ending, which stays in the list a moment longer than pthread_join
        /// waits.
        private static let isExiting: UInt32 = 0x4

        /// The threads' names, of which Linux keeps 15 bytes.
        package static func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { thread in
                // A thread that has ended meanwhile has no file.
                guard let content = FileManager.default.contents(atPath: "/proc/self/task/\(thread)/stat"),
                    !content.isEmpty
                else { return nil }
                return try running(String(decoding: content, as: UTF8.self))
            }
        }

        /// Parses a line of proc(5): "17 (name) S 1 17 17 0 -1 4194304 …", where a name may contain brackets and
        /// spaces.
        ///
        /// - Returns: the name, or nil if the thread is ending.
        private static func running(_ line: String) throws -> String? {
            guard let start = line.firstIndex(of: "("), let end = line.lastIndex(of: ")"), start < end,
                let flags = line[end...].split(separator: " ").dropFirst(7).first.flatMap({ UInt32($0) })
            else { throw UnknownForm(line: line) }
            return flags & isExiting == 0 ? String(line[line.index(after: start)..<end]) : nil
        }
    }
#endif
