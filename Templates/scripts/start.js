// Joins the page and the viewer.

let viewer;

/** Makes the viewer when it is first needed. */
async function madeViewer() {
  const markup = await photos.load('viewer', 'galleryViewer');
  if (!viewer) {
    document.body.insertAdjacentHTML('beforeend', markup);
    viewer = new Viewer(document.getElementById('viewer'));
  }
}

/** The photos that the viewer goes through when it is opened from this page, and where they stand among all. */
function listing() {
  const { first = 1, total } = document.querySelector('.photos:not([hidden])')?.dataset || {};
  const list = photos.onPage();
  return [list, { offset: first - 1, total: Number(total) || list.length }];
}

/** Opens the viewer at the photo that the address names, if it names one. */
async function start() {
  const page = router.page();
  if (!page) return;
  const { query, isPlaying, viewer: known } = history.state || {};
  const at = list => list.findIndex(record => record.page === page);
  let [list, place] = listing();
  // After a reload the page is the photo's own: what was looked for is still what the viewer goes through.
  if (query || at(list) < 0) {
    const search = await photos.search().catch(() => null);
    list = (query ? search?.matching(Search.wanted(query)) : search?.all) || list;
    place = {};
  }
  if (at(list) < 0) return;
  await madeViewer();
  if (!known) router.note({ viewer: page, isFirst: true });
  viewer.open(list, at(list), place);
  viewer.play(!!isPlaying);
  if (!query) whole();
}

/** When the page shows but some of a longer list, the viewer goes on beyond them. */
function whole() {
  if (photos.shown || viewer.list.length >= viewer.total && !document.querySelector('article[data-photo]')) return;
  // Without it the viewer still shows the photos of this page.
  photos.search().then(({ all }) => viewer.extend(all), () => {});
}

async function clicked(event) {
  const { target } = event;
  const thumb = target.closest('[data-give]')?.dataset.give;
  if (thumb) return give(thumb, target.closest('[data-photo]'));
  const view = target.closest('[data-as]')?.dataset.as;
  if (view) return views.choose(view);
  const link = target.closest('a[data-view]');
  if (!link || event.defaultPrevented || event.button) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const [list, place] = listing();
  const shown = link.closest('[data-photo]');
  const index = list.findIndex(record => record.element === shown);
  if (index < 0) return;
  event.preventDefault();
  try {
    await madeViewer();
  } catch {
    location.href = link.href;
    return;
  }
  if (viewer.isOpen) return;
  const query = photos.shown && location.search;
  viewer.open(list, index, place);
  router.push(list[index], query);
  whole();
}

/** @param photo the element that shows it, or nothing for the one in the viewer */
function give(thumb, photo) {
  ratings.toggle(photo ? photos.record(photo) : viewer.record, thumb);
  viewer?.thumb();
}

addEventListener('DOMContentLoaded', async () => {
  views.mark();
  ratings.mark();
  addEventListener('input', Compare.cut);
  addEventListener('click', clicked);
  addEventListener('keydown', event => viewer?.isOpen || keys.press(document.querySelector('main'), event));
  addEventListener('popstate', () => router.isAstray() ? location.reload() : viewer ? viewer.follow() : start());
  const form = document.querySelector('form.find');
  if (form) {
    ratings.start(form);
    await new Find(form).restore();
  }
  start();
});
