"""Measures the first screen of a gallery."""

from pathlib import Path

ARE_LOADED = """() => [...document.images].every(image => {
    const { top, bottom } = image.getBoundingClientRect();
    return bottom < 0 || top > innerHeight || image.complete;
})"""
#: The areas are added up, because cards do not overlap. Placeholders do not count as pictures.
MEASURE = """() => {
    const covered = [...document.querySelectorAll('.card')].reduce((sum, card) => {
        const { left, right, top, bottom } = card.getBoundingClientRect();
        const width = Math.min(right, innerWidth) - Math.max(left, 0);
        const height = Math.min(bottom, innerHeight) - Math.max(top, 0);
        return sum + (card.querySelector('img') ? Math.max(width, 0) * Math.max(height, 0) : 0);
    }, 0);
    return {
        share: 100 * covered / (innerWidth * innerHeight),
        first: document.querySelector('.card').getBoundingClientRect().top,
        height: document.documentElement.scrollHeight,
        moved: window.moved,
    };
}"""
WATCH = """
window.moved = 0;
new PerformanceObserver(list => {
    for (const { value } of list.getEntries()) window.moved += value;
}).observe({ type: 'layout-shift', buffered: true });
"""


def first_screen(browser, site: Path, screen: dict) -> dict[str, float]:
    context = browser.new_context(**screen)
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    page.wait_for_load_state("networkidle")
    page.wait_for_function(ARE_LOADED)
    figures = page.evaluate(MEASURE)
    context.close()
    return figures
