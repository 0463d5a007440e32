internal import Foundation

/// Holds the threads of scripts until a test opens it.
package final class Gate: Sendable {
    private let opened = NSCondition()
    private let isOpen = Observed(false)

    package init() {}

    package func wait() {
        opened.lock()
        while !isOpen.value { opened.wait() }
        opened.unlock()
    }

    package func open() {
        opened.lock()
        isOpen.update { $0 = true }
        opened.broadcast()
        opened.unlock()
    }
}
