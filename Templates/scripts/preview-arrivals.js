// Shows the photos that the server has made ready. Those on the screen are shown at once. The others are shown in
// batches: if each of thousands of cards were changed on its own, the browser would compute the layout of the page as
// often, and the pictures on the screen would wait for that.

const previewArrivals = {
  /** The time between two batches, and the longest time that one may take, in milliseconds. */
  interval: 1000,
  batchTime: 40,

  /** The photos that are not shown yet, `{ card, record }` by the paths of their pages. */
  waiting: new Map(),

  /** The photos whose pictures are being decoded: promises by the paths of their pages. */
  shows: new Map(),

  /** While the page is loaded again, the photos that arrived since. Its newer version may not show them yet. */
  sinceLoad: null,

  /** The photos that were not shown yet when the page began to be loaded again. Its newer version shows them. */
  beforeLoad: [],

  /** @returns a promise that is resolved when the photo is shown, or waits for the next batch */
  async receive(photo) {
    const { page } = photo.record;
    previewArrivals.sinceLoad?.set(page, photo);
    if (previewArrivals.isUrgent(page)) return previewArrivals.show(photo);
    // The search and the viewer need no card.
    photoUpdates.updateRecords(photo.record);
    previewArrivals.waiting.set(page, photo);
    previewArrivals.schedule();
  },

  /** Whether the visitor sees the photo. One that is being decoded must not be overtaken by its newer version. */
  isUrgent(page) {
    return preview.view.isNear(page) || photoUpdates.isArticle({ page }) || previewArrivals.shows.has(page)
      || !!viewer?.isOpen && previewViewer.pages().includes(page);
  },

  /** Shows a photo when its picture is decoded. A photo that changes twice is shown in this order. */
  show({ card, record }) {
    const { page } = record;
    const { shows, waiting } = previewArrivals;
    waiting.delete(page);
    // A version that could not be shown holds up no later one.
    const earlier = Promise.resolve(shows.get(page)).catch(() => {});
    const show = earlier.then(() => photoUpdates.show(card, record)).finally(() => {
      if (shows.get(page) === show) shows.delete(page);
    });
    shows.set(page, show);
    return show;
  },

  /** The photo of a page has come to the screen. */
  enter(page) {
    const photo = previewArrivals.waiting.get(page);
    if (photo) previewArrivals.show(photo);
  },

  schedule() { previewArrivals.timer ??= setTimeout(previewArrivals.showBatch, previewArrivals.interval); },

  showBatch() {
    const { waiting, batchTime } = previewArrivals;
    previewArrivals.timer = null;
    const end = performance.now() + batchTime;
    for (const [page, { card, record }] of waiting) {
      // A change of the layout would disturb scrolling.
      if (preview.view.isScrolling || performance.now() > end) break;
      waiting.delete(page);
      photoUpdates.replace(photoUpdates.parse(card), record);
    }
    if (waiting.size) previewArrivals.schedule();
  },

  // The page is loaded again

  beginLoad() {
    previewArrivals.sinceLoad = new Map();
    previewArrivals.beforeLoad = [...previewArrivals.waiting];
  },

  /** The newer version of the page is shown. Only what arrived later is shown again. */
  async finishLoad() {
    const { waiting, beforeLoad, sinceLoad } = previewArrivals;
    for (const [page, photo] of beforeLoad) if (waiting.get(page) === photo) waiting.delete(page);
    const outdated = [...sinceLoad].filter(([page]) => !waiting.has(page));
    await Promise.all(outdated.map(([, photo]) => previewArrivals.receive(photo)));
  },

  endLoad() { Object.assign(previewArrivals, { sinceLoad: null, beforeLoad: [] }); },

  /** Changes a photo among the results of a search. */
  showResult(record) {
    const old = photos.found && document.querySelector(`.results [data-page="${record.page}"]`);
    if (!old) return;
    const form = document.querySelector('form.search');
    const template = form.querySelector('template').content.firstElementChild;
    previewMorph.change(old, SearchForm.prototype.card.call({ form, template }, record));
    ratings.markPhoto(old);
  },
};

// The parts of a card that have not changed stay. The page of a photo has more than its card, such as the picture
// without the filter.
photoUpdates.replaceCard = previewMorph.change;
// The observer knows this without a layout of the page.
photoUpdates.isOnScreen = element => preview.view.near.has(element) || element === photoUpdates.article;
photoUpdates.updateArticle = () => { previewPage.renew(); };
photoUpdates.replace = (replace => function (card, record) {
  preview.view.expectShift();
  replace.call(photoUpdates, card, record);
  previewArrivals.showResult(record);
})(photoUpdates.replace);
