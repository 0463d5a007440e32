internal import Foundation
internal import Publish
internal import Site

/// An exit code. The numbers from 64 on are those of sysexits.h. `CommandFailure` decides which error has which code.
package struct ExitCode: Equatable, Sendable {
    package let rawValue: Int32

    package static let success = ExitCode(rawValue: 0)
    /// The exit code if photos failed under --strict, or are out of date under --strict-stale, or if `shards` has found
    /// one missing.
    package static let photosFailed = ExitCode(rawValue: 1)
    package static let usage = ExitCode(rawValue: 64)
    package static let manifestInvalid = ExitCode(rawValue: 65)
    package static let manifestUnreachable = ExitCode(rawValue: 66)
    package static let bug = ExitCode(rawValue: 70)
    package static let cannotCreate = ExitCode(rawValue: 73)
    package static let inputOutput = ExitCode(rawValue: 74)
    package static let locked = ExitCode(rawValue: 75)
    package static let settingsInvalid = ExitCode(rawValue: 78)
    static func signal(_ number: Int32) -> ExitCode { ExitCode(rawValue: 128 + number) }

    /// Whether a signal has ended the work.
    var isSignal: Bool { rawValue > 128 }
}

extension ExitCode {
    /// The meaning of each code, for the help, the man page and docs/reference/exit-codes.md.
    static let meanings: [(code: String, meaning: String)] = [
        ("0", "the site is up to date, or the shard complete; photos that failed have placeholders"),
        (
            "\(photosFailed.rawValue)",
            "as 0, but with --strict or --strict-stale photos failed or no shard has done them, or with "
                + "--strict-stale photos are stale, frozen or suspicious; or `shards` has found that one is missing"
        ),
        ("\(usage.rawValue)", "an option or argument is wrong"),
        (
            "\(manifestInvalid.rawValue)",
            "a manifest is invalid or has no photos, or a source of `init --from` gives no list"
        ),
        (
            "\(manifestUnreachable.rawValue)",
            "a manifest, a source of `init --from` or a file of ratings is missing, or a manifest can't be reached and "
                + "has no last good copy; `clean --forget` knows no such gallery; or the current folder is gone"
        ),
        ("\(bug.rawValue)", "internal error"),
        (
            "\(cannotCreate.rawValue)",
            "the output folder can't be made, or a file there or at the target of publish isn't gallerygen's; a site "
                + "and a store would be mixed; or `init` would overwrite a file"
        ),
        (
            "\(inputOutput.rawValue)",
            "reading or writing failed, for example because the disk is full; the target of publish or the store "
                + "can't be reached; or the store has no result for any photo of the list"
        ),
        (
            "\(locked.rawValue)",
            "another build, publication or preview of the gallery, or a build into the same folder, is running"
        ),
        ("\(settingsInvalid.rawValue)", "a setting or a template is invalid"),
        ("129, 130, 131, 143", "interrupted by SIGHUP, SIGINT, SIGQUIT or SIGTERM"),
    ]
}

extension ExitCode {
    /// The code of an error of the site. A foreign output folder, a disk that refuses writes and an invalid template
    /// each have their own.
    init(_ error: SiteError) {
        switch error {
        case .cannotCreate(_, ENOSPC), .cannotCreate(_, EDQUOT), .cannotCreate(_, EROFS), .cannotCreate(_, EIO):
            self = .inputOutput
        case .foreign, .cannotCreate, .unsuitable: self = .cannotCreate
        case .write, .full: self = .inputOutput
        case .template: self = .settingsInvalid
        case .slug: self = .bug
        }
    }
}

extension ExitCode {
    /// The code for a target whose files are not ours, and for everything that can't be read, reached or written.
    init(_ error: PublishError) {
        switch error {
        case .foreign, .otherSite, .unsuitable: self = .cannotCreate
        case .refused, .forgotten, .tooManyRemovals, .unreadable, .changed, .noSite, .cache: self = .inputOutput
        case .interrupted: self = .signal(SIGINT)
        }
    }
}
