internal import Dispatch
internal import Foundation
internal import Notifications

/// What `build --watch` tells the service manager that started it (sd_notify(3)): that it is ready, what it does, and
/// that it is alive. If the service manager can't be told, building goes on.
final class ServiceStatus {
    private let notifier: ServiceNotifier?
    private let watchdog: (any DispatchSourceTimer)?

    /// - Parameter checkLife: a closure that returns only if the process is not stuck. The watchdog calls it before
    ///   each sign of life.
    init(_ context: CommandContext, checkLife: @escaping @Sendable () -> Void) {
        guard let name = context.environment["NOTIFY_SOCKET"], !name.isEmpty else {
            (notifier, watchdog) = (nil, nil)
            return
        }
        do throws(ServiceNotifier.Problem) {
            notifier = try ServiceNotifier(name)
        } catch {
            context.console.remark("NOTIFY_SOCKET: the service manager can't be told the status: \(error.message)")
            notifier = nil
        }
        guard let notifier, let interval = WatchdogInterval(context.environment, process: getpid()) else {
            watchdog = nil
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "gallerygen.watchdog"))
        // sd_watchdog_enabled(3) recommends half of the interval.
        let half = min(interval.limit / .seconds(2), 3_600)
        timer.schedule(deadline: .now(), repeating: half)
        timer.setEventHandler {
            checkLife()
            // If the message is lost, the next one follows soon.
            try? notifier.send(["WATCHDOG=1"])
        }
        timer.activate()
        watchdog = timer
    }

    deinit { watchdog?.cancel() }

    /// Tells that the program watches its files and that its first build begins.
    func ready() { send(["READY=1", "STATUS=Building"]) }

    func show(_ status: String) { send(["STATUS=\(status)"]) }

    func stopping() { send(["STOPPING=1"]) }

    /// Errors are ignored, because the service manager shows the status for information only.
    private func send(_ assignments: [String]) { try? notifier?.send(assignments) }
}
