// Tells the server which photos are on the screen. It makes these first, and begins nothing while the page is scrolled.

class PreviewView {
  /**
   * The time from the last scroll event to the end of scrolling, in milliseconds. The event scrollend is not used: some
   * browsers send one after each notch of the wheel, and Safari has none.
   */
  static longestPause = 200;
  /** The time between two messages that scrolling goes on, in milliseconds. After 2 s without one it has ended. */
  static scrollInterval = 1000;

  /** The elements of photos on the screen or near its edges. */
  near = new Set();
  isScrolling = false;

  /** @param send sends a message, and returns whether it could be sent */
  constructor(send) {
    this.send = send;
    this.observer = new IntersectionObserver(entries => {
      this.note(entries);
      this.schedule();
    });
    for (const element of document.querySelectorAll('[data-page]')) this.observer.observe(element);
    addEventListener('scroll', () => this.scroll(), { passive: true });
    addEventListener('resize', () => this.schedule());
    addEventListener('visibilitychange', () => this.report());
  }

  note(entries) {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) {
        this.near.add(target);
        previewArrivals.enter(target.dataset.page);
      } else {
        this.near.delete(target);
      }
    }
  }

  /** Whether the photo of a page is on the screen or near its edges. */
  isNear(page) {
    for (const element of this.near) if (element.dataset.page === page) return true;
    return false;
  }

  /**
   * The layout of the page is about to change. When cards above the screen change their sizes, the browser scrolls, so
   * that the screen shows the same photos as before. The event of that follows in the frame after the next layout.
   */
  expectShift() {
    this.shift ??= requestAnimationFrame(() => requestAnimationFrame(() => { this.shift = null; }));
  }

  scroll() {
    // If the visitor scrolls at the same time, further events follow.
    if (this.shift && !this.isScrolling) return;
    const now = performance.now();
    if (!this.isScrolling || now - this.scrollSent >= PreviewView.scrollInterval) {
      this.isScrolling = true;
      this.scrollSent = now;
      this.send({ type: 'view', scrolling: true });
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.endScrolling(), PreviewView.longestPause);
  }

  endScrolling() {
    this.isScrolling = false;
    // The server waits for the end of scrolling, so this report is sent even if the screen shows the same photos.
    this.reported = null;
    this.schedule();
  }

  /** Observes the photos in elements that were added to the page. @param records the records of a MutationObserver */
  change(records) {
    const photosIn = nodes => [...nodes].filter(node => node.nodeType === Node.ELEMENT_NODE).flatMap(element =>
      [...element.matches('[data-page]') ? [element] : [], ...element.querySelectorAll('[data-page]')]);
    for (const { addedNodes, removedNodes } of records) {
      for (const element of photosIn(addedNodes)) this.observer.observe(element);
      for (const element of photosIn(removedNodes)) if (!element.isConnected) this.observer.unobserve(element);
    }
    this.schedule();
  }

  /** Reports after the next frame, when the observer knows the new elements. */
  schedule() {
    this.frame ??= requestAnimationFrame(() => setTimeout(() => {
      this.frame = null;
      this.report();
    }));
  }

  /** Makes the next report complete, because a new connection knows nothing of this page. */
  restart() {
    this.reported = null;
    if (this.isScrolling) this.send({ type: 'view', scrolling: true });
    this.schedule();
  }

  /** Reports the photos on the screen, unless they are the same as before. */
  report() {
    if (this.isScrolling && !document.hidden) return;
    this.note(this.observer.takeRecords());
    const photos = document.hidden ? [] : this.pages().map(page => /([^/]+)\.html$/.exec(page)[1]);
    const text = photos.join();
    if (text !== this.reported && this.send({ type: 'view', scrolling: false, photos })) this.reported = text;
  }

  /** The paths of the pages of the photos on the screen, the most important first. */
  pages() {
    const inViewer = viewer?.isOpen ? previewViewer.pages() : [];
    return [...new Set([...inViewer, ...this.pagesByDistance()])];
  }

  /** The photos of the page, those nearest to the middle of the screen first. */
  pagesByDistance() {
    const found = [];
    for (const element of this.near) {
      if (!element.isConnected) {
        this.near.delete(element);
        continue;
      }
      const { left, right, top, bottom } = element.getBoundingClientRect();
      if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) continue;
      const distance = Math.hypot((left + right - innerWidth) / 2, (top + bottom - innerHeight) / 2);
      found.push([distance, element.dataset.page]);
    }
    return found.sort(([one], [two]) => one - two).map(([, page]) => page);
  }
}
