internal import Foundation

#if os(Linux)
    /// The threads of this process, for tests that expect some of them to be gone.
    package enum RunningThreads {
        private struct UnknownForm: Error {
            let line: String
        }

        /// What Linux says of a thread that is ending: it stands in the list a moment longer than pthread_join waits.
        private static let isExiting: UInt32 = 0x4

        /// Their names, of which Linux keeps 15 bytes.
        package static func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { thread in
                // A thread that has ended meanwhile has nothing to read.
                guard let content = FileManager.default.contents(atPath: "/proc/self/task/\(thread)/stat"),
                    !content.isEmpty
                else { return nil }
                return try running(String(decoding: content, as: UTF8.self))
            }
        }

        /// From a line of proc(5): "17 (name) S 1 17 17 0 -1 4194304 …", where a name may have brackets and spaces too.
        private static func running(_ line: String) throws -> String? {
            guard let start = line.firstIndex(of: "("), let end = line.lastIndex(of: ")"), start < end,
                let flags = line[end...].split(separator: " ").dropFirst(7).first.flatMap({ UInt32($0) })
            else { throw UnknownForm(line: line) }
            return flags & isExiting == 0 ? String(line[line.index(after: start)..<end]) : nil
        }
    }
#endif
