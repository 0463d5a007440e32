// Takes over the changes of the page: loads it again, and changes the open document where it differs.

const previewPage = {
  /** The addresses of the scripts that the document was loaded with. */
  scripts: [...document.querySelectorAll('script[src]')].map(script => script.src),

  /**
   * Changes the document into the current version of the page. Calls during a renewal are answered by one more renewal.
   * @returns whether the server has answered with the page
   */
  renew() {
    previewPage.isOutdated = true;
    return previewPage.renewal ??= previewPage.run().finally(() => {
      previewPage.renewal = null;
      previewArrivals.endLoad();
    });
  },

  async run() {
    let isRenewed = false;
    while (previewPage.isOutdated) {
      previewPage.isOutdated = false;
      previewArrivals.beginLoad();
      const next = await previewPage.load();
      isRenewed = !!next && await previewPage.takeOver(next);
    }
    return isRenewed;
  },

  /** @returns the current version of the page; null if there is none, or the server can't be reached */
  async load() {
    const response = await fetch(previewMorph.base, { cache: 'no-store' }).catch(() => null);
    if (response?.status === 404) preview.panel.announce('This page is no longer part of the gallery.');
    if (!response?.ok) return null;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    // While the gallery has a mistake, the server may answer with a page of its own.
    return page.querySelector('meta[name="preview-token"]') && page;
  },

  /** @returns whether all files of the newer version could be loaded; a file may have changed again since */
  async takeOver(next) {
    const viewerScript = next.querySelector('link[data-script="viewer"]').getAttribute('href');
    const isSame = await previewViewer.change(new URL(viewerScript, previewMorph.base).href);
    if (!isSame || previewPage.needsReload(next)) return previewPage.reload();
    const exchangeStylesheets = await previewStylesheets.prepare(next);
    if (!exchangeStylesheets) return false;
    exchangeStylesheets();
    previewPage.change(next);
    await previewViewer.renew();
    await previewArrivals.finishLoad();
    return true;
  },

  /** Whether scripts of the page have changed, or something that they have read once. */
  needsReload(next) {
    const scripts = [...next.querySelectorAll('script[src]')]
      .map(script => new URL(script.getAttribute('src'), previewMorph.base).href);
    const constants = ({ documentElement: { lang, dir } }) => lang + dir;
    const hasForm = page => !!page.querySelector('form.search');
    return scripts.join() !== previewPage.scripts.join() || constants(next) !== constants(document)
      || hasForm(next) !== hasForm(document);
  },

  change(next) {
    const token = 'meta[name="preview-token"]';
    const [mark, nextMark] = [document, next].map(page => page.querySelector(token));
    mark.content = nextMark.content;
    mark.dataset.photos = nextMark.dataset.photos ?? '';
    if (viewer?.isOpen) viewer.title = next.title;
    else document.title = next.title;
    previewPage.keepPosition(() => previewPage.withoutComparison(() => previewMorph.change(document.body, next.body)));
    viewMode.mark();
    ratings.mark();
  },

  /** Shows how many photos are missing or have failed, on the page that counts them. @param html of the link */
  showAttention(html = '') {
    const old = document.querySelector('.needs-attention:has(a)');
    if (!old || !html) return;
    const next = old.cloneNode();
    next.innerHTML = html;
    previewMorph.changeChildren(old, next);
  },

  /** Changes the page while its before/after view is off, because this view moves a picture to another element. */
  withoutComparison(change) {
    const find = selector => document.querySelector(selector);
    const moved = find('.photo-stage .picture > img.before');
    const isOn = moved && !moved.hidden;
    if (isOn) Comparison.toggle(find('[data-compare]'));
    if (moved) find('.compare .before :is(picture, a:not(:has(picture)))')?.append(moved);
    change();
    if (isOn && find('.compare .before img')) Comparison.toggle(find('[data-compare]'));
  },

  /** Keeps what is on the screen in its place, and the focus on its element or on the photo's new card. */
  keepPosition(change) {
    const { documentElement } = document;
    const focused = previewPage.focused();
    const card = focused?.closest('.card')?.id;
    const places = scrollY > 0 ? previewPage.places() : [];
    // The browser must not correct the scroll position a second time.
    documentElement.style.overflowAnchor = 'none';
    preview.view.expectShift();
    change();
    if (focused !== previewPage.focused()) {
      const target = focused?.isConnected ? focused : card && document.querySelector(`#${CSS.escape(card)} a`);
      target?.focus({ preventScroll: true });
    }
    const [element, top] = places.find(([element]) => element.isConnected && element.checkVisibility()) || [];
    if (element) scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' });
    documentElement.style.overflowAnchor = '';
  },

  /** The elements of the page on the screen, with their distances from the top of the screen. */
  places() {
    return [...document.querySelectorAll('main :is([data-page], h1, tr, .photo-details > *)')]
      .map(element => [element, element.getBoundingClientRect()])
      .filter(([, { top, bottom }]) => bottom > 0 && top < innerHeight)
      .map(([element, { top }]) => [element, top]);
  },

  focused() {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  },

  /** Loads the document again, with the scroll position, the focus and the open viewer. */
  reload() {
    if (viewer?.isOpen) {
      const { zoom: { scale, x, y } } = viewer;
      // Otherwise the page of the photo would be loaded instead of this one.
      const address = new URL(history.state?.query || '', previewMorph.base);
      history.replaceState({ ...history.state, zoom: { scale, x, y } }, '', address);
    }
    photoUpdates.reload();
  },

  /** Restores the address and the zoom of a viewer that was open before the reload. */
  restoreViewer() {
    const { zoom, ...state } = history.state || {};
    if (!zoom || !viewer?.isOpen) return;
    history.replaceState(state, '');
    router.replace(viewer.record, state.isPlaying);
    viewer.zoom.set(clamp(zoom.scale, 1, viewer.zoom.maximum), ...viewer.zoom.clamped(zoom.scale, zoom.x, zoom.y));
    viewer.zoom.changed();
  },
};
