// The entry point: connects the page and the viewer.

let viewer;

/** Makes the viewer when it is first needed. */
async function makeViewer() {
  const markup = await photos.load('viewer', 'galleryViewer');
  if (!viewer) {
    document.body.insertAdjacentHTML('beforeend', markup);
    viewer = new Viewer(document.getElementById('viewer'));
  }
}

/** The photos that the viewer goes through when it is opened from this page, and their position among all. */
function pageList() {
  const { first = 1, total } = document.querySelector('.photos:not([hidden])')?.dataset || {};
  const list = photos.onPage();
  return [list, { offset: first - 1, total: Number(total) || list.length }];
}

/** What the viewer stays within, for the state of the address: a search, the album of this page, or all photos. */
function pageScope() {
  if (photos.found) return { query: location.search };
  const isAlbum = document.querySelector('.photos[data-album]');
  return { album: isAlbum ? photos.onPage()[0].album.join(' / ') : undefined };
}

/** Opens the viewer at the photo that the address names, if it names one. */
async function restoreViewer() {
  const page = router.page();
  if (!page) return;
  const { query, album, isPlaying, viewer: known } = history.state || {};
  const indexIn = list => list.findIndex(record => record.page === page);
  let [list, position] = pageList();
  const isOnPage = indexIn(list) >= 0;

  // After a reload the document is the photo's own page: the viewer still stays within the search or the album.
  if (query || album || !isOnPage) {
    const index = await photos.index().catch(() => null);
    list = index?.within(history.state || {}) || list;
    position = {};
  }
  if (indexIn(list) < 0) return;

  await makeViewer();
  if (!known) router.update({ viewer: page, isFirst: true, ...(isOnPage && pageScope()) });
  viewer.open(list, indexIn(list), position);
  viewer.play(!!isPlaying);
  extendViewer();
}

/** Lets the viewer go on to the photos of the other pages, within its scope. */
function extendViewer() {
  const scope = history.state || {};
  if (scope.query || viewer.list.length >= viewer.total && !document.querySelector('article[data-photo]')) return;
  // Without the index the viewer still shows the photos of this page.
  photos.index().then(index => viewer.extend(index.within(scope)), () => {});
}

async function handleClick(event) {
  const { target } = event;
  const vote = target.closest('[data-vote]')?.dataset.vote;
  if (vote) return castVote(vote, target.closest('[data-photo]'));
  if (target.closest('[data-view-mode]')) return viewMode.toggle();
  if (target.closest('[data-compare]')) return Comparison.toggle(target.closest('[data-compare]'));

  const link = target.closest('a[data-viewer]');
  if (!link || event.defaultPrevented || event.button) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const [list, position] = pageList();
  const shown = link.closest('[data-photo]');
  const index = list.findIndex(record => record.element === shown);
  if (index < 0) return;

  event.preventDefault();
  try {
    await makeViewer();
  } catch {
    location.href = link.href;
    return;
  }
  if (viewer.isOpen) return;
  viewer.open(list, index, position);
  router.push(list[index], pageScope());
  extendViewer();
}

/** @param element the one that shows the photo, or nothing for the photo in the viewer */
function castVote(vote, element) {
  ratings.toggle(element ? photos.record(element) : viewer.record, vote);
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
