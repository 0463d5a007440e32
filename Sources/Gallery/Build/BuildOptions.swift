package import Downloads
package import Imaging
internal import Ledger
package import PhotoModel
package import Site

/// The origin of a manifest.
package enum ManifestInput: Hashable, Sendable {
    /// An absolute path, and the path as the user wrote it.
    case file(path: String, shown: String)
    /// The bytes of standard input. Relative addresses are resolved against `directory`, an absolute path.
    case standardInput([UInt8], directory: String)
    /// An http or https URL.
    case remote(url: String)
}

/// All options of a build, resolved once: no default is hidden further down.
package struct BuildOptions: Sendable {
    package var manifests: [ManifestInput]
    /// The absolute path of the output folder.
    package var output: String
    package var state: StateFolder
    /// The title of the site; nil for the manifest's own name.
    package var title: String?
    /// The absolute address of the site, ending in "/".
    package var baseURL: String?
    /// The language of the pages, a BCP 47 language tag.
    package var language: String
    package var perPage: Int
    package var templates: TemplateSet
    /// The votes that the pages show from the start.
    package var ratings: Ratings
    /// The permissions of all files and folders of the site. If nil, the umask decides, and a file that replaces
    /// another one never has fewer permission bits.
    package var permissions: SitePermissions?
    /// How long files of earlier publications stay in the site after the last reference to them is gone.
    package var keepOld: Duration = .zero
    /// The name and version of the program.
    package var generator: String
    package var derivatives: DerivativeOptions
    /// The number of photos filtered at once.
    package var jobs: Int
    /// The memory limit of all photos in progress together, in bytes.
    package var memory: Int
    package var limits: TransferLimits
    /// Whether a manifest from a URL is allowed to refer to private addresses.
    package var allowsPrivate: Bool
    /// How long an original counts as fresh.
    package var maxAge: MaxAge
    /// How soon photos are expected to change whose entries don't say it.
    package var expectedChange = ExpectedChange.never
    /// The number of earlier originals that are kept of a changed photo, and whether its page shows them.
    package var versions = VersionOptions()
    /// The photos whose suspicious pictures are accepted in this build.
    package var accepted = AcceptedNames([])
    /// The archive that is asked for copies of pictures whose sources are gone; nil if none is.
    package var archive: Wayback?
    package var client: ClientProfile
    package var allowsEmpty: Bool
    /// Whether everything is done again, whatever the ledger has recorded.
    package var isForced = false
    /// Whether the report lists the photos and files that have changed.
    package var listsChanges = false
    /// Whether the site is published while it is built, on pages that update themselves.
    package var isLive = false
    /// The time of the build, read from the clock once.
    package var now: Timestamp
    /// The start of the build by the system's clock, never a pinned time, in nanoseconds since 1970. The time stamp of
    /// a local file that was modified later proves nothing.
    package var startedAt: Int64
    /// The description of this process that a second build sees in the lock file.
    package var lockHolder: String
    /// How long to wait for another build to end.
    package var wait: Duration = .zero
    /// The settings of a build that several machines share; nil if this machine does all of it.
    package var sharing: SharingOptions?
    /// The user's home folders, according to HOME and to the user database. No site may overwrite them.
    package var homes: [String] = []

    /// The identity of this gallery among those that share its state folder: its manifests and its output folder.
    var identity: GalleryIdentity { GalleryIdentity(manifests: manifests.map(\.identity), output: output) }

    package init(
        manifests: [ManifestInput], output: String, state: StateFolder, title: String?, baseURL: String?,
        language: String, perPage: Int, templates: TemplateSet, ratings: Ratings = .none, generator: String,
        derivatives: DerivativeOptions, jobs: Int, memory: Int, limits: TransferLimits, client: ClientProfile,
        allowsEmpty: Bool, now: Timestamp,
        startedAt: Int64,
        lockHolder: String,
        allowsPrivate: Bool, maxAge: MaxAge
    ) {
        self.manifests = manifests
        self.output = output
        self.state = state
        self.title = title
        self.baseURL = baseURL
        self.language = language
        self.perPage = perPage
        self.templates = templates
        self.ratings = ratings
        self.generator = generator
        self.derivatives = derivatives
        self.jobs = jobs
        self.memory = memory
        self.limits = limits
        self.client = client
        self.allowsEmpty = allowsEmpty
        self.now = now
        self.startedAt = startedAt
        self.lockHolder = lockHolder
        self.allowsPrivate = allowsPrivate
        self.maxAge = maxAge
    }
}

extension BuildOptions {
    /// The system's time in seconds since 1970. `SOURCE_DATE_EPOCH` does not change it.
    var realNow: Int64 { startedAt / 1_000_000_000 }

    /// Whether `SOURCE_DATE_EPOCH` pins the clock to another time.
    package var isClockPinned: Bool { realNow != now.seconds }

    /// The folder of pictures in the output folder.
    var picturesFolder: String { output + "/images" }

    /// The retention of old files. It is counted by the clock of the build, because the list of kept files is a part of
    /// the site.
    var retention: Retention { Retention(seconds: keepOld.components.seconds, now: now, generator: generator) }

    /// Checks what can be checked before anything is read or written: whether the local manifests exist, and whether
    /// the output folder may hold a site, and is not mixed with the store.
    /// - Returns: the check, which knows where the output folder is relative to the state folder.
    /// - Throws: `GalleryError.manifestUnreachable`, `.site` or `.unsuitableStore`.
    @discardableResult
    func checkManifestsAndFolders() throws(GalleryError) -> OutputFolderCheck {
        for manifest in manifests { try manifest.checkExists() }
        try sharing?.check(output: output, state: state)
        let folders = OutputFolderCheck(output: output, state: state.path, homes: homes, store: sharing?.folder)
        try folders.check()
        return folders
    }

    /// Whether a manifest has a URL.
    package var hasRemoteManifest: Bool {
        manifests.contains { if case .remote = $0 { true } else { false } }
    }

    /// The time between two requests of manifests and photos by a program that keeps running.
    /// - Parameters:
    ///   - usual: the time if `--max-age` gives none.
    ///   - shortest: the least time, whatever `--max-age` gives.
    ///   - isFailing: whether a source could not be used last time. Such sources are requested again after the usual
    ///     time, however long `--max-age` makes the others fresh.
    package func requestPeriod(usual: Duration, shortest: Duration, isFailing: Bool = false) -> Duration {
        guard case .fixed(let age) = maxAge else { return usual }
        let period = max(age, shortest)
        return isFailing ? min(period, usual) : period
    }

    /// The options for fetching photos. If any list comes from a URL, they are the stricter ones for such lists: the
    /// addresses in the other lists are known only when these have been read (`PhotoList.locallyListed`).
    var fetchOptions: FetchOptions {
        let policy = AddressPolicy(isLocallyListed: !hasRemoteManifest, allowsPrivate: allowsPrivate)
        return FetchOptions(policy: policy, maxAge: maxAge, contentCheck: .pictures)
    }
}

extension ContentCheck {
    /// Accepts content that begins like a picture in one of the supported formats.
    package static let pictures = ContentCheck(
        edition: OriginalInspection.edition, inspectedBytes: OriginalInspection.bytes,
        failure: OriginalInspection.failure(ofStart:))
}
