"""A visitor's browser context, which records everything that goes wrong in it."""

from urllib.parse import urljoin

WATCH = """
window.observed = { moved: [], violations: [] };
new PerformanceObserver(list => {
    const place = ({ x, y, width, height }) => [x, y, width, height].join(' ');
    for (const { value, sources } of list.getEntries()) {
        const elements = sources.map(({ node, previousRect, currentRect }) =>
            `${node?.outerHTML?.slice(0, 60) ?? node?.nodeName} from ${place(previousRect)} to ${place(currentRect)}`);
        window.observed.moved.push([value, ...elements].join('; '));
    }
}).observe({ type: 'layout-shift', buffered: true });
document.addEventListener('securitypolicyviolation', event => {
    window.observed.violations.push(event.violatedDirective + ' ' + event.blockedURI);
});
"""
PICTURES = """
async () => {
    // One that is not shown is never loaded, where it may load lazily.
    const pictures = [...document.images].filter(picture => picture.checkVisibility());
    for (const picture of pictures) {
        picture.scrollIntoView({ block: 'center' });
        await picture.decode().catch(() => {});
    }
    return pictures.map(picture => ({
        source: picture.currentSrc, width: picture.naturalWidth, alt: picture.getAttribute('alt'),
        shownRatio: picture.clientWidth / picture.clientHeight, ownRatio: picture.naturalWidth / picture.naturalHeight,
        fit: getComputedStyle(picture).objectFit }));
}
"""
COLOURS = """
() => {
    const box = element => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height];
    };
    return [...document.querySelectorAll('.picture')]
        .map(picture => [picture.querySelector('.aspect-box'), picture.querySelector('img')])
        .filter(([room, image]) => room && image).map(pair => pair.map(box));
}
"""


class Visit:
    def __init__(self, browser, address, **context):
        self.address = address
        self.forgiven = ()
        self.context = browser.new_context(**context)
        if context.get("java_script_enabled", True):
            self.context.add_init_script(WATCH)
        self.page = self.context.new_page()
        self.troubles = []
        self.requests = []
        self.page.on("console", lambda message: self._note(message.type in ("error", "warning"), message.text))
        self.page.on("pageerror", lambda error: self._note(True, str(error)))
        self.page.on("requestfailed", self._note_failure)
        self.page.on(
            "response", lambda response: self._note(response.status >= 400, f"{response.status}: {response.url}")
        )
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _note(self, condition, trouble):
        if condition:
            self.troubles.append(trouble)

    def _note_failure(self, request):
        # The browser aborts requests of a page that a visitor leaves, for which the page is not to blame.
        self._note("ERR_ABORTED" not in str(request.failure), f"failed: {request.url} {request.failure}")

    def open(self, path):
        self.page.goto(urljoin(self.address, path))

    def close(self):
        self.context.close()

    def forgive(self, *pieces):
        """Troubles with such a piece of text are what the test is about."""
        self.forgiven = pieces

    def faults(self):
        """What must not be in any test: errors and warnings of the console, refusals of the security policy, failed
        requests, and requests that left the site."""
        troubles = [trouble for trouble in self.troubles if not any(piece in trouble for piece in self.forgiven)]
        return troubles + [f"stranger: {url}" for url in self.strangers()]

    def pictures(self):
        """The pictures of the page, after each was scrolled to."""
        return self.page.evaluate(PICTURES)

    def colours(self):
        """The boxes of the colour under each picture and of the picture: left, top, width and height."""
        return self.page.evaluate(COLOURS)

    def observed(self):
        return self.page.evaluate("window.observed")

    def strangers(self):
        """Requests that left the site."""
        return [url for url in self.requests if not url.startswith((self.address, "data:", "blob:", "about:"))]
