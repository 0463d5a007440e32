"""A browser context with a page, which records its requests and everything that goes wrong."""

from urllib.parse import urljoin

from waiting import TIMEOUT

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
    // A lazy picture that is not rendered is never loaded.
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
PLACEHOLDER_BOXES = """
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
# Without a time limit, the browser once did not call back within ten minutes.
IDLE = """
() => new Promise(done => requestAnimationFrame(() => requestIdleCallback(() => done(), { timeout: 1000 })))
"""


class Visit:
    def __init__(self, browser, address, **context):
        self.address = address
        self.ignored = ()
        self.context = browser.new_context(**context)
        self.context.set_default_timeout(1000 * TIMEOUT)
        self._runs_scripts = context.get("java_script_enabled", True)
        if self._runs_scripts:
            self.context.add_init_script(WATCH)
        self.page = self.context.new_page()
        self.problems = []
        self.requests = []
        self._unfinished = set()
        self.page.on("console", lambda message: self._note(message.type in ("error", "warning"), message.text))
        self.page.on("pageerror", lambda error: self._note(True, str(error)))
        self.page.on("requestfailed", self._note_failure)
        self.page.on(
            "response", lambda response: self._note(response.status >= 400, f"{response.status}: {response.url}")
        )
        self.page.on("request", self._note_request)
        self.page.on("requestfinished", lambda request: self._unfinished.discard(request))

    def _note(self, condition, problem):
        if condition:
            self.problems.append(problem)

    def _note_request(self, request):
        self.requests.append(request.url)
        self._unfinished.add(request)

    def _note_failure(self, request):
        self._unfinished.discard(request)
        # The browser aborts the pending requests of a page that a visitor leaves, which is not a fault of the page.
        self._note("ERR_ABORTED" not in str(request.failure), f"failed: {request.url} {request.failure}")

    def open(self, path):
        self.page.goto(urljoin(self.address, path))

    def wait_for_requests(self):
        """Waits until the page has loaded and has all that it has asked for. Playwright's own state, "networkidle", is
        sometimes never reported on a slow processor, although all requests have ended."""
        self.page.wait_for_load_state()
        self._finish_requests()
        if self._runs_scripts:
            # What the page does next, and the frame after it, may ask for more.
            self.page.evaluate(IDLE)
            while self._unfinished:
                self._finish_requests()
                self.page.evaluate(IDLE)

    def _finish_requests(self):
        while self._unfinished:
            request = next(iter(self._unfinished))
            response = request.response()
            if response:
                response.finished()
            self._unfinished.discard(request)

    def close(self):
        self.context.close()

    def ignore(self, *pieces):
        """Problems whose text contains one of the pieces are expected by the test."""
        self.ignored = pieces

    def unexpected_problems(self):
        """What no test may cause unless it ignores it: errors and warnings in the console, violations of the content
        security policy, failed requests, and requests to other servers."""
        problems = self.problems + [f"external request: {url}" for url in self.external_requests()]
        return [problem for problem in problems if not any(piece in problem for piece in self.ignored)]

    def pictures(self):
        """The pictures of the page, after scrolling to each of them."""
        return self.page.evaluate(PICTURES)

    def placeholder_boxes(self):
        """For each picture, the boxes of its placeholder colour and of the picture: left, top, width and height."""
        return self.page.evaluate(PLACEHOLDER_BOXES)

    def observed(self):
        return self.page.evaluate("window.observed")

    def external_requests(self):
        """The URLs of requests for anything outside the site."""
        return [url for url in self.requests if not url.startswith((self.address, "data:", "blob:", "about:"))]
