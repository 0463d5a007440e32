// Joins the page and the viewer.
'use strict';

let viewer;

/** Makes the viewer when it is first needed. */
async function madeViewer() {
  const markup = await photos.load('viewer', 'galleryViewer');
  if (!viewer) {
    document.body.insertAdjacentHTML('beforeend', markup);
    viewer = new Viewer(document.getElementById('viewer'));
  }
  return viewer;
}

/** The photos that the viewer goes through when it is opened from this page, and where they stand among all. */
function listing() {
  const { first = 1, total } = document.querySelector('.photos:not([hidden])')?.dataset || {};
  const list = photos.onPage();
  return [list, { offset: first - 1, total: Number(total) || list.length }];
}

/** Opens the viewer at the photo that the address names, if it names one. */
async function start() {
  const page = Way.page();
  if (!page) return;
  let [list, place] = listing();
  if (!list.some(record => record.page === page)) [list, place] = [await photos.all().catch(() => []), {}];
  const index = list.findIndex(record => record.page === page);
  if (index < 0) return;
  await madeViewer();
  const isPlaying = history.state?.isPlaying;
  if (!history.state?.viewer) Way.note({ viewer: page, isFirst: true });
  viewer.open(list, index, place);
  viewer.play(!!isPlaying);
  whole();
}

/** When the page shows but some of a longer list, the viewer goes on beyond them. */
function whole() {
  if (photos.shown || viewer.list.length >= viewer.total && !document.querySelector('article[data-photo]')) return;
  // Without it the viewer still shows the photos of this page.
  photos.all().then(all => viewer.extend(all), () => {});
}

async function clicked(event) {
  const link = event.target.closest?.('a[data-view]');
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
  viewer.open(list, index, place);
  Way.push(list[index]);
  whole();
}

addEventListener('DOMContentLoaded', () => {
  startViews();
  const form = document.querySelector('form.find');
  if (form) new Find(form).restore();
  if (form) ratings.start(form);
  else ratings.mark();
  if (!window.HTMLDialogElement) return;
  addEventListener('click', clicked);
  addEventListener('popstate', () => viewer ? viewer.follow() : start());
  start();
});
