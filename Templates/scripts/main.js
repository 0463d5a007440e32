// The entry point: connects the page and the viewer.

let viewer;

/** Loads the viewer when it is first needed. */
async function createViewer() {
  const markup = await photos.load(photos.addresses.viewer, 'galleryViewer');
  if (!viewer) {
    document.body.insertAdjacentHTML('beforeend', markup);
    viewer = new Viewer(document.getElementById('viewer'));
  }
}

/** The photos that the viewer goes through when it is opened from this page: a search, the page's album, or all. */
function pageScope() {
  if (photos.found) return { query: location.search };
  return { album: document.querySelector('[data-album]')?.dataset.album };
}

/**
 * Opens the viewer at a photo.
 * @param page the path of the photo's page, `element` the element of this page that shows the photo, if there is one
 * @returns whether it opened. It does not if the photo has left the scope, or if the viewer is open already.
 */
async function openViewer(page, scope, element) {
  // A card is replaced when its photo is ready.
  const current = element?.isConnected ? element : photos.element({ page });
  const position = current && photos.position(current);
  const [list, own] = await Promise.all([photos.list(scope), photos.list(pageScope()), createViewer()]);
  let number = own[position];
  if (list.includes(number)) await photos.fetch([number]);
  // If this page is from an earlier publication, the current index may list other photos at its numbers.
  if (photos.records[number]?.page !== page) number = (await photos.search()).pages.indexOf(page);
  const index = list.indexOf(number);
  if (index < 0) return false;
  await photos.fetch([number]);
  if (viewer.isOpen) return false;
  viewer.open(list, index, scope);
  return true;
}

/** Opens the viewer at the photo of the address, if the address has one. */
async function restoreViewer() {
  const page = router.page();
  if (!page) return;
  const element = photos.element({ page });
  const { query, album, isPlaying, viewer: known } = history.state || {};
  // After a reload, the document is the photo's own page, but the viewer still goes through the search or the album.
  const scope = known ? { query, album } : element ? pageScope() : {};
  if (!await photos.retrying(() => openViewer(page, scope, element)).catch(() => false)) return;
  if (!known) router.update({ viewer: page, isFirst: true, ...scope });
  viewer.play(!!isPlaying);
}

async function handleClick(event) {
  const { target } = event;
  const vote = target.closest('[data-vote]')?.dataset.vote;
  if (vote) return castVote(vote, target.closest('[data-page]'));
  if (target.closest('[data-view-mode]')) return viewMode.toggle();
  if (target.closest('[data-compare]')) return Comparison.toggle(target.closest('[data-compare]'));

  const link = target.closest('a[data-viewer]');
  if (!link || event.defaultPrevented || event.button) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const element = link.closest('[data-page]');
  if (!element) return;

  event.preventDefault();
  const scope = pageScope();
  const isOpen = await photos.retrying(() => openViewer(element.dataset.page, scope, element)).catch(() => false);
  if (isOpen) router.push(viewer.record, scope);
  else if (!viewer?.isOpen) location.assign(link.href);
}

/** Loads the viewer and the index at the press, before the click. If that fails, the click loads them. */
function prepareViewer({ target }) {
  if (target.closest('a[data-viewer]')) Promise.all([createViewer(), photos.index()]).catch(() => {});
}

/** @param element the element that shows the photo; undefined for the photo in the viewer */
function castVote(vote, element) {
  ratings.toggle(element ? ratings.record(element) : viewer.record, vote);
  viewer?.markVote();
}

/** Restores the focus after the reload at the end of a live build, once: a later reload leaves the focus alone. */
function restoreFocus() {
  const { focus, ...state } = history.state || {};
  if (!focus) return;
  history.replaceState(state, '');
  document.querySelector(focus)?.focus({ preventScroll: true });
}

addEventListener('DOMContentLoaded', async () => {
  viewMode.mark();
  ratings.mark();
  addEventListener('input', Comparison.clip);
  addEventListener('click', handleClick);
  addEventListener('change', ({ target }) => target.matches('.compare-with select') && Comparison.show());
  addEventListener('pointerdown', prepareViewer);
  // The key of the event is null if the whole store was emptied.
  addEventListener('storage', ({ key }) => (!key || key.endsWith(ratings.key)) && ratings.reload());
  // A browser shows an earlier page again as it was left.
  addEventListener('pageshow', ({ persisted }) => persisted && ratings.reload());
  addEventListener('keydown', event => viewer?.isOpen || keyboard.pressButton(document.querySelector('main'), event));
  addEventListener('popstate', () => {
    if (router.needsReload()) location.reload();
    else if (viewer) viewer.follow();
    else restoreViewer();
  });

  const form = document.querySelector('form.search');
  try {
    if (form) {
      ratings.attach(document.querySelector('.local-ratings'));
      await new SearchForm(form).restore();
    }
  } finally {
    document.documentElement.classList.remove('searching');
  }
  restoreViewer();
  restoreFocus();
});
