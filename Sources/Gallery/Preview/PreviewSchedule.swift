/// Chooses the photos of a preview that are worked on. Photos are numbers: their indices in the list.
///
/// Missing photos on the screens come first, nearest to the middle of a screen first. Only if none is missing
/// there, the rest of the list follows in its order, few at a time, so that the next screen can begin at once. While a
/// page is being scrolled, and while no page is open, nothing begins.
package struct PreviewSchedule {
    /// The next steps, each in its order.
    package struct Steps: Hashable {
        /// The photos whose work is given up, unless it can't be any more.
        package var cancelled: [Int] = []
        package var begun: [Int] = []
    }

    /// The state of an open page.
    private struct Screen {
        var isScrolling = false
        var photos: [Int] = []
    }

    /// Whether each photo of the list is missing.
    private var isMissing: [Bool]
    /// Whether only photos on screens are rendered, because a filter chain is only tried. The rest of the list keeps
    /// its pictures.
    package var isLimitedToScreens = false
    /// No photo before this one is missing and could begin.
    private var first = 0
    private var screens: [Int: Screen] = [:]
    /// The photos whose work has begun and has not ended. The value says whether it was given up.
    private var running: [Int: Bool] = [:]
    /// The largest number of photos of the rest that are worked on at once.
    private let limit: Int

    /// The number of photos that are not missing.
    package private(set) var ready: Int
    package var total: Int { isMissing.count }

    /// - Parameters:
    ///   - missing: whether each photo of the list is missing.
    ///   - limit: the number of transfers that can run at once.
    package init(missing: [Bool], limit: Int) {
        isMissing = missing
        self.limit = limit
        ready = missing.count { !$0 }
    }

    // MARK: Pages

    /// A page is being scrolled.
    /// - Parameter page: a number for the page.
    package mutating func scroll(_ page: Int) { screens[page, default: Screen()].isScrolling = true }

    /// A page no longer reports that it is being scrolled. It counts as standing still, with the photos that it
    /// reported last.
    package mutating func endScrolling(_ page: Int) { screens[page]?.isScrolling = false }

    /// A page shows these photos now, nearest to the middle of the screen first.
    package mutating func show(_ photos: [Int], on page: Int) {
        screens[page] = Screen(photos: photos.filter(isMissing.indices.contains))
    }

    /// A page was closed.
    package mutating func close(_ page: Int) { screens[page] = nil }

    // MARK: Work

    /// A photo that was thought to be there is missing.
    package mutating func lose(_ photo: Int) {
        guard !isMissing[photo] else { return }
        isMissing[photo] = true
        ready -= 1
        first = min(first, photo)
    }

    /// The work for a photo has ended.
    /// - Parameter isDone: whether the photo is in its final state. If not, it is put back.
    package mutating func end(_ photo: Int, isDone: Bool) {
        running[photo] = nil
        guard isDone, isMissing[photo] else {
            first = min(first, photo)
            return
        }
        isMissing[photo] = false
        ready += 1
    }

    /// Whether a page shows a photo.
    package func isOnScreen(_ photo: Int) -> Bool { screens.values.contains { $0.photos.contains(photo) } }

    /// Chooses what happens now. The photos that it returns count as begun or given up from then on.
    /// - Parameter includesRest: whether photos that are on no screen can begin.
    package mutating func next(includesRest: Bool = true) -> Steps {
        guard !screens.isEmpty, !screens.values.contains(where: \.isScrolling) else { return Steps() }
        let wanted = missingOnScreens
        var steps = Steps()
        if wanted.isEmpty {
            if isLimitedToScreens {
                steps.cancelled = running.filter { !$0.value }.keys.sorted()
            } else if includesRest {
                steps.begun = rest()
            }
        } else {
            // Work for other photos would take transfers and processors from the screen.
            let others = Set(wanted)
            steps.cancelled = running.filter { !$0.value && !others.contains($0.key) }.keys.sorted()
            steps.begun = wanted.filter { running[$0] == nil }
        }
        for photo in steps.cancelled { running[photo] = true }
        for photo in steps.begun { running[photo] = false }
        return steps
    }

    /// The missing photos on the screens. Photos of several pages alternate.
    private var missingOnScreens: [Int] {
        let lists = screens.sorted { $0.key < $1.key }.map { $0.value.photos.filter { isMissing[$0] } }
        var found: [Int] = []
        var seen: Set<Int> = []
        for index in 0..<(lists.map(\.count).max() ?? 0) {
            for list in lists where index < list.count {
                if seen.insert(list[index]).inserted { found.append(list[index]) }
            }
        }
        return found
    }

    /// The next photos of the rest of the list, as many as may be worked on besides those that run.
    private mutating func rest() -> [Int] {
        while first < isMissing.count, !isMissing[first] || running[first] != nil { first += 1 }
        var chosen: [Int] = []
        var index = first
        while index < isMissing.count, running.count + chosen.count < limit {
            if isMissing[index], running[index] == nil { chosen.append(index) }
            index += 1
        }
        return chosen
    }
}
