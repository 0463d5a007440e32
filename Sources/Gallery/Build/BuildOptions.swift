package import Downloads
package import Imaging
internal import Ledger
package import PhotoModel
package import Site

/// The origin of a manifest.
package enum ManifestInput: Hashable, Sendable {
    /// An absolute path, and how the user named it.
    case file(path: String, shown: String)
    /// The bytes of standard input; relative addresses are found from `directory`, an absolute path.
    case standardInput([UInt8], directory: String)
    /// An http or https URL.
    case remote(url: String)
}

/// Everything that a build is told, resolved once: no default is hidden further down.
package struct BuildOptions: Sendable {
    package var manifests: [ManifestInput]
    /// Absolute path of the output folder.
    package var output: String
    package var state: StateFolder
    /// nil: the manifest's own name.
    package var title: String?
    /// Absolute address of the site, ending in "/".
    package var baseURL: String?
    /// BCP 47 language tag of the pages.
    package var language: String
    package var perPage: Int
    package var templates: TemplateSet
    /// Votes that the pages show from the start.
    package var ratings: Ratings
    /// The permissions of all files and folders of the site; nil: by the umask, and never less than what was.
    package var permissions: SitePermissions?
    /// How long files of earlier publications stay in the site that nothing refers to any more.
    package var keepOld: Duration = .zero
    /// Name and version of the program.
    package var generator: String
    package var derivatives: DerivativeOptions
    /// Photos filtered at once.
    package var jobs: Int
    /// The memory that all photos under way may use together, in bytes.
    package var memory: Int
    package var limits: TransferLimits
    /// Whether a manifest from a URL may name private addresses.
    package var allowsPrivate: Bool
    /// How long an original counts as fresh.
    package var maxAge: MaxAge
    package var client: ClientProfile
    package var allowsEmpty: Bool
    /// Whether everything is done again, whatever is remembered.
    package var isForced = false
    /// Whether the site is published while it is built, on pages that bring themselves up to date.
    package var isLive = false
    /// The clock, read once.
    package var now: Timestamp
    /// The real time, never a pinned one: nanoseconds since 1970. Local files that are younger prove nothing.
    package var startedAt: Int64
    /// The description of this process that a second build sees in the lock file.
    package var lockHolder: String
    /// How long to wait for another build to end.
    package var wait: Duration = .zero
    /// Folders that may be the user's home, which no site may overwrite.
    package var homes: [String] = []

    /// Tells this gallery from others that share its state folder: the manifests it is made of.
    var place: GalleryPlace { GalleryPlace(manifests: manifests.map(\.place), output: output) }

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
    /// The system's time, seconds since 1970. `SOURCE_DATE_EPOCH` does not change it.
    var realNow: Int64 { startedAt / 1_000_000_000 }

    /// The retention counts by the clock of the build, as the list of kept files is a part of the site.
    var retention: Retention { Retention(seconds: keepOld.components.seconds, now: now, generator: generator) }

    /// Checks what can be checked before anything is read or written: the local manifests are there, and the output
    /// folder may hold a site.
    /// - Returns: the output folder's place relative to the state folder.
    /// - Throws: `GalleryError.manifestUnreachable` or `.site`.
    @discardableResult
    func checkManifestsAndFolders() throws(GalleryError) -> OutputFolderCheck {
        for manifest in manifests { try manifest.checkIsThere() }
        let folders = OutputFolderCheck(output: output, state: state.path, homes: homes)
        try folders.check()
        return folders
    }

    /// The terms on which photos are fetched. Where only some lists come from URLs, they are those of these: what the
    /// others name is known when they are read (`PhotoList.locallyListed`).
    var fetchOptions: FetchOptions {
        let isFromNetwork = manifests.contains { if case .remote = $0 { true } else { false } }
        let policy = AddressPolicy(isWrittenHere: !isFromNetwork, allowsPrivate: allowsPrivate)
        return FetchOptions(policy: policy, maxAge: maxAge, contentCheck: .pictures)
    }
}

extension ContentCheck {
    /// Takes what begins as a picture does, in a format that is read.
    package static let pictures = ContentCheck(
        edition: OriginalInspection.edition, inspectedBytes: OriginalInspection.bytes,
        failure: OriginalInspection.failure(ofStart:))
}
