internal import Foundation

/// Puts new files in the places of old ones, so that all of it can be undone: an old file keeps a second name beside the
/// new ones until everything is in place. Without hard links there is no way back, and the next run completes what was begun.
final class Exchange {
    private let staging: Folder
    private let root: SiteRoot
    /// The numbers of the new files whose places hold an old one.
    private var replacing: Set<Int32> = []
    /// Of the files that are in place.
    private var numbers: [Int32] = []
    /// The paths of the files that are in place, in the order in which they came there.
    private(set) var done: [String] = []

    /// - Parameter count: how many files there are.
    init(staging: Folder, root: SiteRoot, count: Int) {
        self.staging = staging
        self.root = root
        numbers.reserveCapacity(count)
        done.reserveCapacity(count)
    }

    deinit { forget() }

    /// Gives the file at `path`, if there is one, its second name.
    func prepare(_ path: String, number: Int32) throws(SiteError) {
        let (target, name) = try root.place(of: path)
        if linkat(target.descriptor, name, staging.descriptor, Self.oldName(number), 0) == 0 {
            replacing.insert(number)
        } else if ![ENOENT, EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) {
            throw target.failure(name)
        }
    }

    /// Moves the new file to its place.
    func put(_ path: String, number: Int32) throws(SiteError) {
        let (target, name) = try root.place(of: path)
        guard renameat(staging.descriptor, String(number), target.descriptor, name) == 0 else {
            throw target.failure(name)
        }
        done.append(path)
        numbers.append(number)
    }

    /// Takes everything back, the last first. Stops at what can't be taken back, as what came before it may refer to what
    /// came earlier still.
    func undo() {
        // A folder that can't be reached now can't be put in order either: the error that brought us here is told.
        while let path = done.last, let number = numbers.last, let (target, name) = try? root.place(of: path) {
            let isBack =
                replacing.contains(number)
                ? renameat(staging.descriptor, Self.oldName(number), target.descriptor, name) == 0
                : renameat(target.descriptor, name, staging.descriptor, String(number)) == 0
                    || unlinkat(target.descriptor, name, 0) == 0
            guard isBack else { return }
            done.removeLast()
            numbers.removeLast()
        }
    }

    /// Gives the second names up. What can't be removed now is left for the next run to remove.
    func forget() {
        // In the order of the new files, which mostly is that of the old ones, and so about how these lie on the disk.
        for number in replacing.sorted() { unlinkat(staging.descriptor, Self.oldName(number), 0) }
        replacing = []
    }

    private static func oldName(_ number: Int32) -> String { "\(number).old" }
}
