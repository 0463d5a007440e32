"""Fingers, mouse and wheel in the viewer."""

import pytest
from screens import PHONE
from touch import Touch


def test_the_wheel_zooms_to_the_point_under_the_mouse(opened):
    viewer = opened()
    x, y = viewer.middle()
    viewer.page.mouse.move(x + 100, y)
    viewer.page.mouse.wheel(0, -300)
    viewer.page.wait_for_function("() => document.querySelector('.stage').classList.contains('zoomed')")
    layout = viewer.layout()
    assert layout["x"] == pytest.approx(100 - 100 * layout["scale"], abs=1)


def test_a_dragged_picture_stops_at_its_edges(opened):
    viewer = opened().press("+", "+")
    x, y = viewer.middle()
    viewer.page.mouse.move(x, y)
    viewer.page.mouse.down()
    viewer.page.mouse.move(x + 900, y, steps=5)
    viewer.page.mouse.up()
    layout = viewer.layout()
    width, room = viewer.page.evaluate(
        "[document.querySelector('.slide').offsetWidth, document.querySelector('.stage').clientWidth]")
    assert layout["x"] == pytest.approx((width * layout["scale"] - room) / 2, abs=1)


def test_swipes_go_to_the_next_and_the_previous_photo(opened, names):
    viewer = opened(**PHONE)
    touch, (x, y) = Touch(viewer.visit), viewer.middle()
    touch.swipe((x + 120, y), (x - 120, y))
    viewer.shows(names[1])
    touch.swipe((x - 120, y), (x + 120, y))
    viewer.shows(names[0])
    touch.swipe((x - 120, y), (x + 120, y))
    viewer.shows(names[0])
    assert viewer.layout()["x"] == 0


def test_a_drag_down_closes(opened):
    viewer = opened(**PHONE)
    x, y = viewer.middle()
    Touch(viewer.visit).swipe((x, y - 100), (x, y + 250))
    viewer.is_closed()
    assert viewer.page.url.endswith("index.html")


def test_two_taps_zoom_to_the_point_and_back(opened):
    viewer = opened(**PHONE)
    touch, (x, y) = Touch(viewer.visit), viewer.middle()
    touch.tap((x + 60, y)).tap((x + 60, y))
    assert viewer.layout()["scale"] == 2.5
    assert viewer.layout()["x"] == pytest.approx(60 - 60 * 2.5, abs=1)
    touch.tap((x, y)).tap((x, y))
    assert viewer.layout() == {"x": 0, "y": 0, "scale": 1}


def test_a_pinch_zooms_about_the_fingers_and_does_not_turn_the_page(opened, names):
    viewer = opened(**PHONE)
    touch, (x, y) = Touch(viewer.visit), viewer.middle()
    touch.pinch((x, y), 60, 180)
    assert viewer.layout()["scale"] == pytest.approx(3, abs=.05)
    touch.pinch((x, y), 180, 30)
    assert viewer.layout() == {"x": 0, "y": 0, "scale": 1}
    viewer.shows(names[0])


def test_a_short_flick_goes_on_by_its_momentum_and_the_same_way_slowly_does_not(opened, names):
    viewer = opened(**PHONE)
    touch, (x, y) = Touch(viewer.visit), viewer.middle()
    touch.flick((x + 30, y), (x - 30, y), 1500)
    viewer.shows(names[0])
    assert viewer.layout()["x"] == 0
    touch.flick((x + 30, y), (x - 30, y), 60)
    viewer.shows(names[1])


def test_a_zoomed_picture_runs_on_when_it_is_let_go(opened):
    viewer = opened(**PHONE)
    touch, (x, y) = Touch(viewer.visit), viewer.middle()
    touch.pinch((x, y), 60, 240)
    scale = viewer.layout()["scale"]
    touch.flick((x, y), (x - 40, y), 60)
    assert viewer.layout()["x"] < -60
    assert viewer.layout()["scale"] == scale


def test_what_swipes_and_pinches_do_buttons_do_too(opened, names):
    viewer = opened(**PHONE)
    viewer.button("Next photo").tap()
    viewer.shows(names[1])
    viewer.button("Previous photo").tap()
    viewer.shows(names[0])
    viewer.button("Zoom in").tap()
    assert viewer.layout()["scale"] == 1.5
    viewer.button("Zoom out").tap()
    assert viewer.layout()["scale"] == 1
    viewer.button("Close").tap()
    viewer.is_closed()
