internal import Dispatch
internal import Downloads
internal import Foundation
internal import Gallery
internal import Imaging
internal import Preview
internal import Synchronization

/// A preview of a gallery together with the server that shows it: answers the requests of pages from the session, and
/// passes the session's events on to the pages.
final class ServedPreview: PreviewSite {
    private let session: PreviewSession
    private let server: PreviewServer
    private let stop: PreviewStop
    /// Runs the changes that pages ask for, one after the other.
    private let changes = DispatchQueue(label: "gallerygen.preview.changes")
    private let state: Mutex<State>
    private let token: [UInt8]

    private struct State {
        var context: CommandContext
        /// The chains of the latest messages that have not been handled yet. Few wait, however many a page sends.
        var pending: (tried: String?, saved: String?)
        var mistakes = PreviewMistakes()
        /// Whether a warning says that pages lack the preview's part.
        var hasWarned = false
    }

    /// - Parameters:
    ///   - isCancelled: whether the preview is to end. It is polled while a list with a URL is read.
    ///   - whenFailed: a closure that is called if the preview can't go on. `failure` then says why.
    init(
        _ context: CommandContext, isCancelled: @escaping @Sendable () -> Bool,
        whenFailed: @escaping @Sendable () -> Void
    ) throws(CommandFailure) {
        let token = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
        let server = PreviewServer(token: token)
        let stop = PreviewStop(whenFailed)
        do {
            session = try PreviewSession(
                Self.options(context), token: token, isCancelled: isCancelled
            ) { [console = context.console] event in
                switch event {
                case .photo(let card, let record): server.send(.photo(card: card, record: record))
                case .progress(let ready, let total, let attention):
                    server.send(.progress(ready: ready, total: total, attention: attention))
                case .warning(let text): console.warn(text)
                case .remark(let text): console.remark(text)
                case .failed(let error): stop.fail(CommandFailure(error))
                }
            }
        } catch .locked(_, let holder) {
            throw CommandFailure(.locked, "another preview in this state folder is running: \(holder)")
        } catch {
            throw CommandFailure(error)
        }
        self.server = server
        self.token = Array(token.utf8)
        self.stop = stop
        state = Mutex(State(context: context))
    }

    private static func options(_ context: CommandContext) -> BuildOptions {
        var options = context.settings.build
        // No site is emptied by a preview.
        options.allowsEmpty = true
        // Each change of the list would do everything again.
        options.isForced = false
        options.sharing = nil
        return options
    }

    /// Starts the server.
    /// - Returns: the port.
    /// - Throws: `CommandFailure` if the port can't be used.
    func start(port: UInt16) throws(CommandFailure) -> UInt16 {
        let started = DispatchSemaphore(value: 0)
        let used = Mutex<UInt16?>(nil)
        Task { [self] in
            do {
                try await server.run(self, port: port) { port in
                    used.withLock { $0 = port }
                    started.signal()
                }
            } catch let failure as PreviewServer.Failure {
                let hint = failure.isPortInUse ? "; choose another one with --port, or 0 for any free one" : ""
                stop.fail(CommandFailure(.inputOutput, "port \(port) can't be used: \(failure.message)\(hint)"))
            } catch {
                stop.fail(CommandFailure(.inputOutput, "the preview's server has ended: \(error)"))
            }
            started.signal()
        }
        started.wait()
        if let failure { throw failure }
        return used.withLock { $0 } ?? port
    }

    /// Why the preview can't go on; nil as long as it can.
    var failure: CommandFailure? { stop.failure }

    func end() { session.end() }

    func printProgress() {
        let (ready, total) = session.progress
        state.withLock { $0.context }.console.info("\(ready) of \(total) photos are done.")
    }

    // MARK: Changes of files

    /// The local files that the list names.
    var files: Set<String> { session.files }

    /// Takes over changes of the list, its files and the settings.
    func reload(_ context: CommandContext) throws(CommandFailure) {
        let change: PreviewChange
        let filter = session.filters.shown
        do {
            change = try session.reload(Self.options(context))
        } catch {
            throw CommandFailure(error)
        }
        state.withLock { $0.context = context }
        let newFilter = session.filters.shown
        if newFilter != filter { server.send(.filter(newFilter.shown)) }
        announce(change)
        endMistake(from: .files)
        if remoteListPeriod == nil { endMistake(from: .remoteLists) }
    }

    /// The time between two requests of lists with a URL; nil if all are on this machine.
    var remoteListPeriod: Duration? {
        let options = state.withLock { $0.context.settings.build }
        guard options.hasRemoteManifest else { return nil }
        return options.requestPeriod(usual: Self.remotePeriod, shortest: Self.shortestPeriod)
    }

    /// The time between two requests of a list, unless `--max-age` gives another one.
    private static let remotePeriod = Duration.seconds(30)
    private static let shortestPeriod = Duration.seconds(2)

    /// Takes over changes of lists with a URL.
    /// - Returns: whether there were some.
    func reloadRemoteLists() throws(CommandFailure) -> Bool {
        let (change, isConfirmed): (PreviewChange, Bool)
        do {
            (change, isConfirmed) = try session.reloadRemoteManifests()
        } catch {
            throw CommandFailure(error)
        }
        announce(change)
        // If an address fails, its list can still be wrong.
        if isConfirmed { endMistake(from: .remoteLists) }
        return !change.isEmpty
    }

    /// Whether a mistake in the files of this machine is shown.
    var hasMistakeInFiles: Bool { state.withLock { $0.mistakes[.files] != nil } }

    /// Removes a mistake from the open pages.
    private func endMistake(from origin: PreviewMistakes.Origin) {
        let (console, message) = state.withLock { ($0.context.console, $0.mistakes.set(nil, from: origin)) }
        guard let message else { return }
        server.send(message)
        if message == .mended { console.info("The mistake is mended.") }
    }

    private func announce(_ change: PreviewChange) {
        guard !change.isEmpty else { return }
        let parts: [(PreviewChange, PreviewMessage.Part)] = [
            (.pages, .pages), (.styles, .styles), (.scripts, .scripts),
        ]
        server.send(.changed(parts.filter { change.contains($0.0) }.map(\.1), revision: session.revision))
    }

    /// Shows a mistake over the open pages. The last good state stays behind it.
    func show(_ failure: CommandFailure, from origin: PreviewMistakes.Origin) {
        let mistake = PreviewMessage(mistake: failure.shownMessages)
        let (isNew, message) = state.withLock { state in
            (state.mistakes[origin] != mistake, state.mistakes.set(mistake, from: origin))
        }
        if isNew { failure.report() }
        if let message { server.send(message) }
    }

    // MARK: Pages

    func answer(_ path: String) -> PreviewAnswer? {
        if let picture = session.picture(at: path) { return .picture(path: picture) }
        do {
            guard let bytes = try session.file(at: path) else { return nil }
            if path.hasSuffix(".html") { checkToken(in: bytes) }
            return .bytes(bytes)
        } catch {
            // The list has a photo that no file can be named after, so there is no page to show the mistake on.
            return .mistake(error.message)
        }
    }

    /// Warns of templates whose pages have no connection to the preview.
    private func checkToken(in page: [UInt8]) {
        let isMissing = page.firstRange(of: token) == nil
        let console = state.withLock { state -> Console? in
            defer { state.hasWarned = isMissing }
            return isMissing && !state.hasWarned ? state.context.console : nil
        }
        console?.warn(
            "open pages don't follow changes, because layout.mustache has no block {{#preview}}…{{/preview}}; "
                + "take it from the built-in one, which 'gallerygen init --templates' writes")
    }

    func hello(photos: Int?) -> [PreviewMessage] {
        let (ready, total) = session.progress
        let (filters, mistake) = (session.filters, state.withLock { $0.mistakes.shown })
        let hello = PreviewMessage.hello(
            filter: filters.shown.shown, saved: filters.saved.shown, revision: session.revision)
        return [hello, .progress(ready: ready, total: total), mistake].compactMap(\.self) + missed(since: photos)
    }

    /// The messages about photos that have changed between the rendering of a page and its connection.
    private func missed(since photos: Int?) -> [PreviewMessage] {
        guard let photos else { return [] }
        guard let missed = session.photos(since: photos) else {
            return [.changed([.pages], revision: session.revision)]
        }
        return missed.map { .photo(card: $0.card, record: $0.record) }
    }

    func received(_ message: PageMessage, from client: Int) {
        switch message {
        case .scrolling: session.scroll(client)
        case .view(let slugs): session.show(slugs, on: client)
        case .filter(let chain): change(\.tried, to: chain, tryFilter)
        case .saveFilter(let chain): change(\.saved, to: chain, saveFilter)
        }
    }

    /// Runs a change of the filter when the earlier ones have ended. If several of the same kind wait, only the last
    /// one is done, in the place of the first. Changes of the two kinds can so be done in another order than they came.
    private func change(
        _ kind: any WritableKeyPath<(tried: String?, saved: String?), String?> & Sendable, to chain: String,
        _ action: @escaping @Sendable (String) -> Void
    ) {
        let waits = state.withLock { state in
            defer { state.pending[keyPath: kind] = chain }
            return state.pending[keyPath: kind] != nil
        }
        guard !waits else { return }
        changes.async { [self] in
            let chain = state.withLock { state in
                defer { state.pending[keyPath: kind] = nil }
                return state.pending[keyPath: kind]
            }
            if let chain { action(chain) }
        }
    }

    func disconnected(_ client: Int) { session.close(client) }

    // MARK: Filters

    private func tryFilter(_ text: String) {
        guard let filter = parse(text) else { return }
        do {
            try session.tryFilter(filter)
            server.send(.filter(filter.shown))
            server.send(.changed([.pages], revision: session.revision))
        } catch {
            show(CommandFailure(error), from: .files)
        }
    }

    private func saveFilter(_ text: String) {
        guard let filter = parse(text) else { return }
        let context = state.withLock { $0.context }
        let path = context.settings.settingsFile
        let name = (path as NSString).lastPathComponent
        session.expectFilter(filter)
        do throws(CommandFailure) {
            try FilterSetting(filter.shown).save(in: path)
            if let source = try context.filterSource(insteadOf: filter) {
                let message = "The filter is written into \(name), but \(source) overrides it."
                server.send(.filterRefused(message, column: nil))
            } else {
                server.send(.filterSaved(file: name))
            }
        } catch {
            session.expectFilter(nil)
            server.send(.filterRefused(error.shownMessages.joined(separator: "\n"), column: nil))
        }
    }

    private func parse(_ text: String) -> FilterChain? {
        do {
            return try FilterChain(parsing: text)
        } catch {
            server.send(.filterRefused(error.description, column: error.column))
            return nil
        }
    }
}

/// The first failure after which a preview can't go on.
private final class PreviewStop: Sendable {
    private let first = Mutex<CommandFailure?>(nil)
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    var failure: CommandFailure? { first.withLock { $0 } }

    func fail(_ failure: CommandFailure) {
        first.withLock { $0 = $0 ?? failure }
        action()
    }
}

extension CommandContext {
    /// The source of a filter that overrides the one in the settings file, as messages name it.
    /// - Parameter saved: the filter in the settings file.
    /// - Returns: nil if the saved one is valid.
    fileprivate func filterSource(insteadOf saved: FilterChain) throws(CommandFailure) -> String? {
        let setting = SettingsTable.table.pictures.filter
        let layers: SettingLayers
        do throws(SettingsError) {
            layers = SettingSources(given, environment: try ProcessEnvironment.read()).layers
            guard try layers.value(setting) != saved else { return nil }
        } catch {
            throw CommandFailure([error])
        }
        guard let origin = layers.entries(of: setting).last?.origin else { return "another setting" }
        switch origin {
        case .flag: return "\(setting.name(at: origin)) on the command line"
        case .environment: return "\(setting.name(at: origin)) in the environment"
        case .file, .missing, .standardInput: return "another setting"
        }
    }
}

extension FilterChain {
    /// The chain as a setting has it.
    fileprivate var shown: String { isEmpty ? "none" : description }
}
