// Updates a page of a site that is being built: each photo's card is replaced when the photo is ready.
'use strict';

const live = {
  progress: document.querySelector('.live') || document.createElement('p'),

  /** The number of cards that the build has published up to the last poll. */
  received: 0,

  /** The number of consecutive polls without a new card. */
  idlePolls: 0,

  async poll() {
    const status = await live.load(photos.addresses.live, 'galleryLive').catch(() => null);
    if (status) await live.apply(status);
    // A site that can be reached but has no status.js is complete: its final pages are in place.
    else if (await live.load(photos.address('photos.js'), 'galleryIndex').catch(() => null)) return live.reload();

    // A killed build does not report its end, so polls become rare. After an interrupted build, another may start.
    if (!live.isOver) setTimeout(live.poll, live.idlePolls < 300 && !live.hasStopped ? 1000 : 15000);
  },

  async apply({ build, first, cards, records, ready, total, end }) {
    // A new build does not publish again the cards that the previous build has published.
    if (live.build && live.build !== build) Object.assign(live, { received: 0, idlePolls: 0, hasMissed: true });
    live.build = build;
    live.hasStopped = end === 'stopped';
    live.hasMissed ||= first > live.received;
    const start = Math.max(0, live.received - first);
    live.received = first + cards.length;
    live.idlePolls = start < cards.length ? 0 : live.idlePolls + 1;
    for (const [place, card] of cards.slice(start).entries()) await live.show(card, records[start + place]);

    const { dataset } = live.progress;
    live.progress.textContent = live.hasStopped ? dataset.stopped : format(dataset.ready, { ready, total });
    // A page that missed a card waits for the final pages.
    live.isOver = end === 'done' && !live.hasMissed;
  },

  /** Loads the final page, which restores the focus. */
  reload() {
    const { activeElement } = document;
    const { id } = activeElement?.closest('.card') || {};
    const name = activeElement?.name;
    const focus = id ? `#${CSS.escape(id)} a` : name && `[name="${name}"]`;
    history.replaceState({ ...history.state, focus }, '');
    location.reload();
  },

  /** The value that a script of the site sets, never from a cache. */
  load(address, variable) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = address + '?' + Date.now();
      script.onload = () => resolve(window[variable]);
      script.onerror = reject;
      script.addEventListener('load', () => script.remove());
      document.head.append(script);
    });
  },

  /** Replaces a photo wherever this page shows it. @param html the photo's new card, `record` its new record */
  async show(html, record) {
    const template = document.createElement('template');
    template.innerHTML = html.replaceAll('\u{10fffd}', () => photos.root.href.replaceAll('&', '&amp;'));
    const card = template.content.firstElementChild;
    const old = document.getElementById(card.id);
    const article = document.querySelector('article[data-page]');
    const isArticle = article?.dataset.page === record.page;
    if (old || isArticle) await live.decode(card, old || article);
    if (old) {
      const hasFocus = old.contains(document.activeElement);
      old.replaceWith(card);
      if (hasFocus) card.querySelector('a').focus({ preventScroll: true });
    }
    if (isArticle) live.updateArticle(article, card, record);
    live.updateRecords(record);
    ratings.mark();
  },

  /** Decodes the card's picture before it is shown, if the element that it replaces is on the screen. */
  async decode(card, replaced) {
    const { top, bottom } = replaced.getBoundingClientRect();
    const copy = card.querySelector('picture, img')?.cloneNode(true);
    const image = copy?.querySelector('img') || copy;
    if (!image || bottom < 0 || top > innerHeight) return;
    image.loading = 'eager';
    await image.decode().catch(() => {});
  },

  /** Updates the photo's own page with the picture and words of the card. The picture gets a link to the viewer. */
  updateArticle(article, card, { images }) {
    const picture = card.querySelector('.picture').cloneNode(true);
    for (const image of picture.querySelectorAll('source, img')) {
      Object.assign(image, { sizes: '(max-width: 80rem) 100vw, 75rem', loading: 'eager' });
    }
    if (images && !picture.querySelector('a')) {
      const link = document.createElement('a');
      link.href = photos.address(images.at(-1)[2]);
      link.dataset.viewer = '';
      link.append(...picture.childNodes);
      picture.append(link);
    }
    article.dataset.state = card.dataset.state;
    article.classList.toggle('missing', !images);
    const old = article.querySelector('.picture');
    const hasFocus = old.contains(document.activeElement);
    old.className = ['picture', ...card.classList].filter(name => !/^(card|missing)$/.test(name)).join(' ');
    old.replaceChildren(...picture.childNodes);
    if (hasFocus) old.querySelector('a')?.focus({ preventScroll: true });
    const paragraphs = [...card.querySelectorAll('.states, .reason, .state-details')];
    const description = paragraphs.map(paragraph => paragraph.cloneNode(true));
    const outdated = [...article.querySelectorAll('.description > :is(.states, .reason, .state-details)')];
    article.querySelector('h1').after(...description);
    for (const paragraph of outdated) paragraph.remove();
  },

  /** Gives the search and the viewer the new record. */
  updateRecords(record) {
    const { page, state } = record;
    photos.updates[page] = record;
    const { index } = window.gallerySearch || {};
    if (index) index.state[index.pages.indexOf(page)] = state;
    const known = photos.records.find(known => known?.page === page);
    if (known) Object.assign(known, record);
    if (viewer?.isOpen && viewer.record === known) viewer.show(viewer.index);
  },
};

addEventListener('DOMContentLoaded', live.poll);
