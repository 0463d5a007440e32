// On a page of a site that is being built: photos come into their places as they are ready.
'use strict';

const live = {
  line: document.querySelector('.live') || document.createElement('p'),

  /** How many cards have been handed over since the build began. */
  seen: 0,

  /** How many looks in a row brought nothing. */
  idle: 0,

  async look() {
    const status = await live.load('live', 'galleryLive').catch(() => null);
    if (status) await live.follow(status);
    // Either the site cannot be reached now, or the build has ended: then the final pages are in place.
    else if (await live.load('search', 'galleryPhotos').catch(() => null)) return location.reload();
    // A build that was killed cannot say so. After one that was stopped there may be another.
    if (!live.isOver) setTimeout(live.look, live.idle < 300 && !live.hasStopped ? 1000 : 15000);
  },

  async follow({ build, first, cards, ready, total, end }) {
    // What the build before had ready this one does not hand over again.
    if (live.build && live.build !== build) Object.assign(live, { seen: 0, idle: 0, isBehind: true });
    live.build = build;
    live.hasStopped = end === 'stopped';
    live.isBehind ||= first > live.seen;
    const news = cards.slice(Math.max(0, live.seen - first));
    live.seen = first + cards.length;
    live.idle = news.length ? 0 : live.idle + 1;
    for (const card of news) await live.show(card);
    live.line.textContent = live.hasStopped ? live.line.dataset.stopped : sentence(live.line.dataset.ready, { ready, total });
    // Whoever missed some of it waits for the final pages.
    live.isOver = end === 'done' && !live.isBehind;
  },

  /** What a script of the site sets, as it is now. */
  load(name, variable) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = photos.addresses[name] + '?' + Date.now();
      script.onload = () => resolve(window[variable]);
      script.onerror = reject;
      script.addEventListener('load', () => script.remove());
      document.head.append(script);
    });
  },

  async show(html) {
    const template = document.createElement('template');
    template.innerHTML = html.replaceAll('\u{10fffd}', () => photos.root.href.replaceAll('&', '&amp;'));
    const card = template.content.firstElementChild;
    const old = document.getElementById(card.id);
    const { element, ...record } = photos.record(card);
    const article = document.querySelector('article[data-photo]');
    const isArticle = article && photos.record(article).page === record.page;
    if (old || isArticle) await live.decoded(card, old || article);
    if (old) {
      const hasFocus = old.contains(document.activeElement);
      old.replaceWith(card);
      if (hasFocus) card.querySelector('a').focus({ preventScroll: true });
    }
    if (isArticle) live.fill(article, card, record);
    live.tell(record, old && card);
    ratings.mark();
  },

  /** Waits until a picture that would be seen at once can be. */
  async decoded(card, place) {
    const { top, bottom } = place.getBoundingClientRect();
    const copy = card.querySelector('picture, img')?.cloneNode(true);
    const image = copy?.querySelector('img') || copy;
    if (!image || bottom < 0 || top > innerHeight) return;
    image.loading = 'eager';
    await image.decode().catch(() => {});
  },

  /** On the photo's own page: the same picture, larger and with its way into the viewer, and the same words. */
  fill(article, card, { images }) {
    const print = card.querySelector('.print').cloneNode(true);
    for (const image of print.querySelectorAll('source, img')) {
      Object.assign(image, { sizes: '(max-width: 80rem) 94vw, 75rem', loading: 'eager' });
    }
    if (images && !print.querySelector('a')) {
      const link = document.createElement('a');
      link.href = photos.address(images.at(-1)[2]);
      link.dataset.view = '';
      link.append(...print.childNodes);
      print.append(link);
    }
    Object.assign(article.dataset, { photo: card.dataset.photo, state: card.dataset.state });
    const old = article.querySelector('.print');
    const hasFocus = old.contains(document.activeElement);
    old.replaceWith(print);
    if (hasFocus) print.querySelector('a')?.focus({ preventScroll: true });
    const words = [...card.querySelectorAll('figcaption > p')].map(line => line.cloneNode(true));
    const lines = [...article.querySelectorAll('.words > p:not(.caption)')];
    article.querySelector('h1').after(...words);
    for (const line of lines) line.remove();
  },

  /** Search and viewer go on with what is new. */
  tell(record, element) {
    for (const list of [window.galleryPhotos, viewer?.list]) {
      const known = list?.find(({ page }) => page === record.page);
      if (known) Object.assign(known, record, element && { element });
    }
    if (viewer?.isOpen && viewer.record.page === record.page) viewer.show(viewer.index);
  },
};

addEventListener('DOMContentLoaded', live.look);
