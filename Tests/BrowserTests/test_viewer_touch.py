"""Touch, mouse and wheel in the viewer."""

import pytest
from playwright.sync_api import expect
from screens import DESKTOP, ORIGINS, PHONE
from touch import Touch


@pytest.fixture(params=ORIGINS)
def held(opened, request):
    """A function that opens the viewer on a phone; returns it with its touch input and the middle of its stage."""

    def held(name=None, **context):
        viewer = opened(name, request.param, **(context or PHONE)).settle()
        viewer.picture()
        return viewer, Touch(viewer.visit), viewer.middle()

    return held


def test_the_track_with_the_next_photo_follows_the_finger_in_the_same_frame(held, names):
    viewer, touch, (x, y) = held()
    touch.down((x + 100, y)).move((x + 60, y)).move((x, y))
    assert viewer.seen()["track"] == -100
    slides = sorted(slide.bounding_box()["x"] for slide in viewer.dialog.locator(".slide").all())
    assert slides[1:] == [-100 - 8, -100 - 8 + 390 + 16]
    touch.move((x - 40, y)).up()
    viewer.shows(names[1]).settle()
    assert viewer.seen()["track"] == 0


def test_swipes_show_the_next_and_the_previous_photo(held, names):
    viewer, touch, (x, y) = held()
    touch.swipe((x + 120, y), (x - 120, y))
    viewer.shows(names[1])
    touch.swipe((x - 120, y), (x + 120, y))
    viewer.shows(names[0])


def test_swipes_lead_from_the_first_photo_to_the_last_and_back(held, names):
    viewer, touch, (x, y) = held()
    expect(viewer.dialog.locator(".counter")).to_have_text(f"1 / {len(names)}")
    touch.down((x - 120, y)).move((x - 60, y)).move((x + 20, y))
    assert viewer.seen()["track"] == 140
    touch.move((x + 120, y)).up()
    viewer.shows(names[-1]).settle()
    touch.swipe((x + 120, y), (x - 120, y))
    viewer.shows(names[0])


def test_without_another_photo_the_track_follows_less_and_returns(held):
    viewer, touch, (x, y) = held("Nuthatch", path="album/animals-birds.html", **PHONE)
    touch.down((x - 120, y)).move((x - 60, y)).move((x + 120, y))
    assert viewer.seen()["track"] == pytest.approx(240 / 3)
    touch.up()
    viewer.settle().shows("Nuthatch")
    assert viewer.seen()["track"] == 0


def test_a_short_fast_swipe_shows_the_next_photo_and_a_slow_one_does_not(held, names):
    viewer, touch, (x, y) = held()
    touch.flick((x + 30, y), (x - 30, y), 1500)
    viewer.shows(names[0])
    touch.flick((x + 30, y), (x - 30, y), 60)
    viewer.shows(names[1])


def test_a_fast_swipe_back_cancels_a_long_drag(held, names):
    viewer, touch, (x, y) = held()
    touch.down((x + 150, y)).move((x + 80, y)).move((x - 30, y))
    touch.flick((x - 30, y), (x + 30, y), 60, is_down=True)
    viewer.settle().shows(names[0])


def test_a_swipe_during_the_animation_of_another_one_counts(held, names):
    viewer, touch, (x, y) = held()
    touch.swipe((x + 120, y), (x - 120, y))
    touch.swipe((x + 120, y), (x - 120, y))
    touch.swipe((x + 120, y), (x - 120, y))
    viewer.shows(names[3]).settle()
    assert viewer.seen()["track"] == 0


@pytest.mark.parametrize("direction", [-1, 1], ids=["up", "down"])
def test_a_vertical_drag_closes_the_viewer_and_only_the_backdrop_fades_with_the_distance(held, direction):
    viewer, touch, (x, y) = held()
    assert viewer.seen()["layers"] == 1
    touch.down((x, y)).move((x, y + 20 * direction)).move((x, y + 100 * direction))
    near = viewer.seen()
    touch.move((x, y + 250 * direction))
    far = viewer.seen()
    assert near["picture"] == 100 * direction and far["picture"] == 250 * direction
    assert near["layers"] == far["layers"] == 1
    assert 1 > near["opacity"] > far["opacity"] > 0
    assert far["opacity"] == pytest.approx(1 - 250 / (844 * .6), abs=.01)
    touch.up()
    viewer.is_closed()
    assert viewer.page.url.endswith("index.html")


def test_after_a_short_vertical_drag_the_picture_returns(held, names):
    viewer, touch, (x, y) = held()
    touch.flick((x, y), (x, y + 80), 1500)
    viewer.settle().shows(names[0])
    assert viewer.layout() == {"x": 0, "y": 0, "scale": 1}
    assert viewer.seen()["opacity"] == 1


def test_a_double_tap_zooms_at_its_point_and_another_one_zooms_out(held):
    viewer, touch, (x, y) = held()
    touch.double_tap((x + 60, y))
    scale = next(step for step in viewer.steps() if step >= 1.8)
    assert viewer.layout()["scale"] == pytest.approx(scale)
    assert viewer.layout()["x"] == pytest.approx(60 - 60 * scale, abs=1)
    viewer.settle()
    touch.double_tap((x, y))
    assert viewer.layout() == {"x": 0, "y": 0, "scale": 1}


def test_a_tap_hides_the_bars_and_the_next_one_shows_them(held):
    viewer, touch, (x, y) = held()
    viewer.bars_are_hidden(False)
    touch.tap((x, y))
    viewer.bars_are_hidden()
    touch.swipe((x + 60, y), (x + 40, y))
    viewer.settle().bars_are_hidden()
    touch.tap((x, y))
    viewer.bars_are_hidden(False)


def test_a_pinch_zooms_and_shows_no_other_photo(held, names):
    viewer, touch, (x, y) = held()
    touch.pinch((x, y), 60, 180)
    assert viewer.layout()["scale"] == pytest.approx(3, abs=.05)
    touch.pinch((x, y), 180, 16)
    assert viewer.layout() == {"x": 0, "y": 0, "scale": 1}
    viewer.settle().shows(names[0])
    expect(viewer.dialog).to_be_visible()


def test_a_pinch_zooms_at_most_to_the_largest_step(held):
    viewer, touch, (x, y) = held()
    touch.pinch((x, y), 20, 380)
    assert viewer.layout()["scale"] == pytest.approx(viewer.steps()[-1])


def test_a_pinch_below_the_fitted_size_closes_the_viewer(held):
    viewer, touch, (x, y) = held()
    touch.down((x - 90, y), (x + 90, y)).move((x - 60, y), (x + 60, y)).move((x - 50, y), (x + 50, y))
    seen = viewer.seen()
    assert seen["layers"] == 1 and 0 < seen["opacity"] < 1
    assert viewer.layout()["scale"] == pytest.approx(100 / 180)
    touch.up()
    viewer.is_closed()


def test_a_drag_beyond_the_edge_of_a_zoomed_picture_shows_the_next_photo(held, names):
    viewer, touch, (x, y) = held()
    touch.double_tap((x, y))
    viewer.settle()
    room = viewer.page.evaluate("viewer.zoom.width * viewer.zoom.scale - viewer.zoom.stage.width")
    touch.swipe((x + 150, y), (x + 150 - room / 2, y))
    viewer.settle().shows(names[0])
    assert viewer.layout()["x"] == pytest.approx(-room / 2, abs=1)
    touch.down((x + 150, y)).move((x + 100, y)).move((x, y))
    assert viewer.seen()["track"] == pytest.approx(-150, abs=1)
    assert viewer.layout()["x"] == pytest.approx(-room / 2, abs=1)
    touch.up()
    viewer.shows(names[1]).settle()
    assert viewer.layout()["scale"] == 1


def test_a_zoomed_picture_keeps_moving_after_a_fast_drag(held):
    viewer, touch, (x, y) = held()
    touch.pinch((x, y), 60, 240)
    scale = viewer.layout()["scale"]
    viewer.settle()
    touch.flick((x, y), (x - 40, y), 60)
    assert viewer.layout()["x"] < -60
    assert viewer.layout()["scale"] == scale


def test_the_wheel_zooms_at_the_mouse_pointer(opened):
    viewer = opened().settle()
    x, y = viewer.middle()
    viewer.page.mouse.move(x + 100, y)
    viewer.page.mouse.wheel(0, -150)
    viewer.page.wait_for_function("() => document.querySelector('.current').classList.contains('zoomed')")
    layout = viewer.layout()
    assert layout["x"] == pytest.approx(100 - 100 * layout["scale"], abs=1)


def test_a_click_zooms_at_its_point_and_one_outside_the_picture_closes_the_viewer(opened, names):
    viewer = opened(names[2]).settle()
    viewer.picture()
    x, y = viewer.middle()
    viewer.page.mouse.click(x + 50, y)
    assert viewer.layout()["scale"] == pytest.approx(viewer.steps()[1])
    viewer.settle().page.mouse.click(x, y)
    assert viewer.layout()["scale"] == 1
    box = viewer.settle().dialog.locator(".current .picture").bounding_box()
    assert box["x"] > 200, "the portrait picture has no space at its sides"
    viewer.page.mouse.click(box["x"] - 60, y)
    viewer.is_closed()


def test_a_dragged_picture_stops_at_its_edges(opened):
    # This is the only photo of its album, so the drag can't show another one.
    viewer = opened("Nuthatch", path="album/animals-birds.html").settle().press("+", "+").settle()
    x, y = viewer.middle()
    viewer.page.mouse.move(x, y)
    viewer.page.mouse.down()
    viewer.page.mouse.move(x + 100, y, steps=3)
    viewer.page.mouse.move(x + 2000, y, steps=3)
    viewer.page.mouse.up()
    width, room = viewer.page.evaluate(
        "[document.querySelector('.current .picture').offsetWidth, document.querySelector('.stage').clientWidth]")
    layout = viewer.layout()
    assert layout["x"] == pytest.approx((width * layout["scale"] - room) / 2, abs=1)


def test_buttons_do_the_same_as_swipes_and_pinches(opened, names):
    viewer = opened(**PHONE)
    viewer.button("Next photo").dispatch_event("click")
    viewer.shows(names[1])
    viewer.button("Previous photo").dispatch_event("click")
    viewer.shows(names[0])
    viewer.button("Menu").tap()
    viewer.button("Zoom in").tap()
    assert viewer.layout()["scale"] == pytest.approx(viewer.steps()[1])
    viewer.button("Zoom out").tap()
    assert viewer.layout()["scale"] == 1
    viewer.button("Close").tap()
    viewer.is_closed()


def test_without_a_mouse_the_menu_has_buttons_for_the_previous_and_the_next_photo(opened, names):
    viewer = opened(**PHONE)
    viewer.button("Menu").tap()
    menu = viewer.dialog.locator(".menu")
    menu.get_by_role("button", name="Next photo").tap()
    viewer.shows(names[1])
    menu.get_by_role("button", name="Previous photo").tap()
    viewer.shows(names[0])


def test_arrow_buttons_are_visible_with_a_mouse(opened):
    viewer = opened(**DESKTOP)
    expect(viewer.button("Next photo")).to_have_css("clip-path", "none")
    expect(viewer.menu().dialog.locator(".menu").get_by_role("button", name="Next photo")).to_have_count(0)


def test_with_reduced_motion_a_swipe_shows_the_next_photo_without_animation(held, names):
    viewer, touch, (x, y) = held(reduced_motion="reduce", **PHONE)
    touch.swipe((x + 120, y), (x - 120, y))
    viewer.shows(names[1])
    assert viewer.seen()["track"] == 0


def test_a_photo_without_a_picture_can_be_swiped_and_not_zoomed(held, names):
    viewer, touch, (x, y) = held()
    viewer.press("ArrowRight").settle()
    expect(viewer.dialog.locator(".current .error")).to_be_visible()
    viewer.press("+")
    touch.double_tap((x, y))
    assert viewer.layout()["scale"] == 1
    touch.swipe((x + 120, y), (x - 120, y))
    viewer.shows(names[2])


def layout_count(session):
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "LayoutCount")


@pytest.mark.parametrize("direction", [(1, 0), (0, 1)], ids=["sideways", "down"])
def test_the_page_is_not_laid_out_while_a_finger_moves(held, direction):
    viewer, touch, (x, y) = held()
    touch.session.send("Performance.enable")
    touch.down((x, y)).move((x + 20 * direction[0], y + 20 * direction[1]))
    viewer.seen()
    before = layout_count(touch.session)
    for distance in range(30, 100, 10):
        touch.move((x + distance * direction[0], y + distance * direction[1]))
        viewer.seen()
    assert layout_count(touch.session) == before


def test_a_picture_is_redrawn_only_when_the_wheel_stops(opened):
    viewer = opened().settle()
    viewer.picture()
    viewer.page.mouse.move(*viewer.middle())
    # The state lasts for a fraction of a second, so the page itself notes each change of it.
    viewer.page.evaluate("""() => {
        const hint = () => getComputedStyle(document.querySelector('#viewer .current .picture')).willChange;
        window.hints = [hint()];
        new MutationObserver(() => {
            if (hint() !== hints.at(-1)) hints.push(hint());
        }).observe(document.querySelector('#viewer'), { subtree: true, attributeFilter: ['class'] });
    }""")
    viewer.page.mouse.wheel(0, -200)
    viewer.page.wait_for_function("() => hints.length >= 3")
    assert viewer.page.evaluate("hints") == ["auto", "transform", "auto"]
