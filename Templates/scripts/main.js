// The entry point: connects the page and the viewer.

let viewer;

/** Loads the viewer when it is first needed. */
async function makeViewer() {
  const markup = await photos.load(photos.addresses.viewer, 'galleryViewer');
  if (!viewer) {
    document.body.insertAdjacentHTML('beforeend', markup);
    viewer = new Viewer(document.getElementById('viewer'));
  }
}

/** What the viewer stays within when it is opened from this page: a search, the page's album, or all photos. */
function pageScope() {
  if (photos.found) return { query: location.search };
  return { album: document.querySelector('[data-album]')?.dataset.album };
}

/**
 * Opens the viewer at a photo.
 * @param page the path of the photo's page, `element` the one that shows the photo, if this page does
 * @returns whether it opened: the photo may have left the scope, or the viewer may be open already
 */
async function openViewer(page, scope, element) {
  const [list, own] = await Promise.all([photos.list(scope), photos.list(pageScope()), makeViewer()]);
  const number = element ? own[photos.place(element)] : (await photos.search()).pages.indexOf(page);
  const index = list.indexOf(number);
  if (index < 0 && !element) return false;
  if (index >= 0) await photos.fetch([number]);
  // A page of an earlier publication may show other photos than the index lists there now.
  if (photos.records[number]?.page !== page) {
    delete photos.loads[photos.address('photos.js')];
    throw new Error(page);
  }
  if (viewer.isOpen) return false;
  viewer.open(list, index);
  return true;
}

/** Opens the viewer at the photo that the address names, if it names one. */
async function restoreViewer() {
  const page = router.page();
  if (!page) return;
  const element = photos.element({ page });
  const { query, album, isPlaying, viewer: known } = history.state || {};
  // After a reload the document is the photo's own page: the viewer still stays within the search or the album.
  const scope = known ? { query, album } : element ? pageScope() : {};
  if (!await openViewer(page, scope, element).catch(() => false)) return;
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
  const open = () => openViewer(element.dataset.page, scope, element);
  // The second time with the index of the latest publication.
  const isOpen = await open().catch(open).catch(() => location.assign(link.href));
  if (isOpen) router.push(viewer.record, scope);
}

/** @param element the one that shows the photo, or nothing for the photo in the viewer */
function castVote(vote, element) {
  ratings.toggle(element ? ratings.record(element) : viewer.record, vote);
  viewer?.markVote();
}

addEventListener('DOMContentLoaded', async () => {
  viewMode.mark();
  ratings.mark();
  addEventListener('input', Comparison.clip);
  addEventListener('click', handleClick);
  addEventListener('keydown', event => viewer?.isOpen || keyboard.pressButton(document.querySelector('main'), event));
  addEventListener('popstate', () => {
    if (router.needsReload()) location.reload();
    else if (viewer) viewer.follow();
    else restoreViewer();
  });

  const form = document.querySelector('form.search');
  if (form) {
    ratings.attach(document.querySelector('.local-ratings'));
    await new SearchForm(form).restore();
  }
  restoreViewer();
});
