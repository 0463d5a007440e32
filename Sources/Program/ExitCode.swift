internal import Foundation
internal import Gallery
internal import Manifest
internal import Site
internal import Watching

/// Exit codes, numbered as in sysexits.h where it has one.
package struct ExitCode: Equatable, Sendable {
    package let rawValue: Int32

    /// Photos failed, under --strict.
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
}

extension ExitCode {
    /// The output folder that can't be ours is told apart from the disk that refuses, and from a template.
    init(_ error: SiteError) {
        switch error {
        case .cannotMake(_, ENOSPC), .cannotMake(_, EDQUOT), .cannotMake(_, EROFS), .cannotMake(_, EIO):
            self = .inputOutput
        case .foreign, .cannotMake, .unsuitable: self = .cannotCreate
        case .write, .full: self = .inputOutput
        case .template: self = .settingsInvalid
        case .slug: self = .bug
        }
    }
}

/// Why a command ends without having done what was asked: the code for programs, the message for people.
struct CommandFailure: Error {
    let exitCode: ExitCode
    /// nil: everything was said already.
    let message: String?
    /// Files that could not be read, and may appear later.
    let awaited: WatchedPaths

    init(_ exitCode: ExitCode, _ message: String? = nil, awaited: WatchedPaths = WatchedPaths()) {
        self.exitCode = exitCode
        self.message = message
        self.awaited = awaited
    }

    func report() {
        if let message { StandardError.write("gallerygen: \(TerminalText.text(ShownAddress.message(message)))\n") }
    }
}

extension CommandFailure {
    /// - Parameter signal: the signal that interrupted the build, if one did.
    init(_ error: GalleryError, signal: Int32? = nil) {
        if case .options(let failure as CommandFailure) = error {
            self = failure
            return
        }
        let code: ExitCode =
            switch error {
            case .manifestUnreachable: .manifestUnreachable
            case .manifest, .noPhotos, .filter: .manifestInvalid
            case .site(let error): ExitCode(error)
            case .storage, .damagedLedger: .inputOutput
            case .locked: .locked
            case .interrupted: .signal(signal ?? SIGINT)
            case .bug, .options: .bug
            }
        self.init(code, error.message)
    }
}
