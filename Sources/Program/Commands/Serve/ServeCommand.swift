internal import ArgumentParser
internal import Foundation
internal import Processes

/// `gallerygen serve`: a preview of the gallery in the browser.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Show the gallery in the browser while you work on it.",
        discussion: """
            The page opens at once, with placeholders. What is on the screen is downloaded and filtered first, and \
            then the rest in the order of the list. When the list, the settings, the templates or a picture change, \
            the open pages follow.

            Only this machine can reach the preview. The output folder is not touched; the next build uses what the \
            preview has downloaded and filtered.

              gallerygen serve --open
              gallerygen serve holidays/photos.plist --port 8000
            """)

    private static let defaultPort: UInt16 = 4000

    @Argument(
        help: ArgumentHelp(
            "Property lists: paths or http(s) URLs. (default: photos.plist)", valueName: "manifest"),
        completion: .file())
    var manifests: [String] = []
    @OptionGroup(title: LocationSettings.title) var locationFlags: SettingFlags<LocationSettings>
    @OptionGroup(title: PageSettings.title) var pageFlags: SettingFlags<PageSettings>
    @OptionGroup(title: PictureSettings.title) var pictureFlags: SettingFlags<PictureSettings>
    @OptionGroup(title: DownloadSettings.title) var downloadFlags: SettingFlags<DownloadSettings>
    @OptionGroup(title: MessageSettings.title) var messageFlags: SettingFlags<MessageSettings>

    @Option(help: "The port on 127.0.0.1; 0 for any free one. (default: \(Self.defaultPort))")
    var port: UInt16?

    @Flag(help: "Open the page in the browser.")
    var open = false

    func run() throws {
        let given = GivenArguments(
            manifests,
            [
                locationFlags.texts, pageFlags.texts, pictureFlags.texts, downloadFlags.texts, messageFlags.texts,
            ])
        guard !given.manifests.contains("-") else {
            throw CommandFailure(.usage, "serve reads the list again when it changes, so it can't be standard input")
        }
        let context = try CommandContext(given, sendsRequests: true)
        let loop = try PreviewLoop(given, context)
        let signals = Signals(
            interrupt: { _ in loop.interrupt() }, isBusy: { false }, suspend: {}, resume: {},
            status: { loop.preview?.printProgress() })
        let preview: ServedPreview
        do throws(CommandFailure) {
            preview = try ServedPreview(
                context, isCancelled: { loop.isInterrupted }, whenFailed: { loop.interrupt() })
        } catch {
            throw signals.interruptedBy.map { CommandFailure(.signal($0)) } ?? error
        }
        defer { preview.end() }
        let address = "http://127.0.0.1:\(try preview.start(port: port ?? Self.defaultPort))/"
        context.console.event("preview-started") { $0.add("address", address) }
        context.console.info("The preview is at \(address). Press Ctrl-C to stop.")
        if open { Self.openBrowser(address, context.console) }
        try loop.run(preview)
        throw CommandFailure(.signal(signals.interruptedBy ?? SIGINT))
    }

    /// Opens an address in the user's browser.
    private static func openBrowser(_ address: String, _ console: Console) {
        #if canImport(Darwin)
            let program = "open"
        #else
            let program = "xdg-open"
        #endif
        // Foundation's Process would pass on that SIGPIPE and SIGXFSZ are ignored. The browser may outlive this
        // program, so it gets no pipe that would break then.
        let opening = ChildProcess(
            command: ["sh", "-c", "exec \"$@\" >/dev/null 2>&1", "sh", program, address],
            environment: ProcessInfo.processInfo.environment)
        Thread.detachNewThread {
            // A program that can't be started is reported like one that fails.
            let outcome = try? opening.run(isCancelled: { false })
            if outcome?.code != 0 { console.remark("\(program) can't open the browser; open \(address)") }
        }
    }
}
