"""Gestures as WebDriver actions (https://www.w3.org/TR/webdriver2/#actions), for browsers other than Chromium."""

# JavaScript: the centre of the viewer's stage, and whether no animation of the viewer is running.
STAGE_CENTRE = """(({ left, top, width, height }) => [left + width / 2, top + height / 2])(
    document.querySelector('#viewer .stage').getBoundingClientRect())"""
AT_REST = "document.querySelector('#viewer').getAnimations({ subtree: true }).length === 0"


def drag(start, end, kind="touch", milliseconds=150):
    """Moves one pointer from a point to another in steps."""
    return [pointer(0, kind, steps(start, end), milliseconds)]


def pinch(middle, start, end, milliseconds=300):
    """Moves two fingers, whose distance changes from `start` to `end` pixels."""
    x, y = middle
    return [
        pointer(number, "touch", steps((x + side * start / 2, y), (x + side * end / 2, y)), milliseconds)
        for number, side in enumerate((-1, 1))]


def tap(point, times=1):
    finger = pointer(0, "touch", [point], 0)
    finger["actions"] *= times
    return [finger]


def wheel(point, by):
    x, y = map(round, point)
    scroll = {"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": by}
    return [{"type": "wheel", "id": "wheel", "actions": [scroll]}]


def steps(start, end, count=6):
    return [tuple(a + (b - a) * step / count for a, b in zip(start, end)) for step in range(count + 1)]


def pointer(number, kind, points, milliseconds):
    def move(point, duration):
        x, y = map(round, point)
        return {"type": "pointerMove", "x": x, "y": y, "duration": duration}

    first, *others = points
    return {
        "type": "pointer", "id": f"pointer{number}", "parameters": {"pointerType": kind},
        "actions": [
            move(first, 0), {"type": "pointerDown", "button": 0},
            *(move(point, milliseconds // len(others)) for point in others), {"type": "pointerUp", "button": 0}]}
