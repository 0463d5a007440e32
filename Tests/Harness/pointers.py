"""Pointers and the wheel, as https://www.w3.org/TR/webdriver2/#actions encodes them, for browsers without Chromium's
protocol."""


def drag(start, end, kind="touch", milliseconds=150):
    """One pointer that goes from a point to another, in steps, as a hand does."""
    return [pointer(0, kind, steps(start, end), milliseconds)]


def pinch(middle, start, end, milliseconds=300):
    """Two fingers beside each other, from `start` to `end` px apart."""
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
