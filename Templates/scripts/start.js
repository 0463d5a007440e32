// Joins the page and the viewer.
'use strict';

/** The photos that the viewer goes through when it is opened from this page, and where they stand among all. */
function listing() {
  const { first = 1, total } = document.querySelector('.photos:not([hidden])')?.dataset || {};
  const list = photos.onPage();
  return [list, { offset: first - 1, total: Number(total) || list.length }];
}

/** Opens the viewer at the photo that the address names, if it names one. */
async function start(viewer) {
  const page = Way.page();
  if (!page) return;
  let [list, place] = listing();
  if (!list.some(record => record.page === page)) [list, place] = [await photos.all().catch(() => []), {}];
  const index = list.findIndex(record => record.page === page);
  if (index < 0) return;
  const isPlaying = history.state?.isPlaying;
  if (!history.state?.viewer) Way.note({ viewer: page, isFirst: true });
  viewer.open(list, index, place);
  viewer.play(!!isPlaying);
  whole(viewer);
}

/** When the page shows but some of a longer list, the viewer goes on beyond them. */
function whole(viewer) {
  if (photos.shown || viewer.list.length >= viewer.total && !document.querySelector('article[data-photo]')) return;
  // Without it the viewer still shows the photos of this page.
  photos.all().then(all => viewer.extend(all), () => {});
}

addEventListener('DOMContentLoaded', () => {
  startViews();
  const form = document.querySelector('form.find');
  if (form) new Find(form).restore();
  const dialog = document.getElementById('viewer');
  if (!dialog?.showModal) return;
  const viewer = new Viewer(dialog);
  addEventListener('click', event => {
    const link = event.target.closest?.('a[data-view]');
    if (!link || event.defaultPrevented || event.button) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const [list, place] = listing();
    const shown = link.closest('[data-photo]');
    const index = list.findIndex(record => record.element === shown);
    if (index < 0) return;
    event.preventDefault();
    viewer.open(list, index, place);
    Way.push(list[index]);
    whole(viewer);
  });
  start(viewer);
});
