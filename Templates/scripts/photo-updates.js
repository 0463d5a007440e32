// Shows the new card and record of a photo on an open page. live.js and preview.js both contain this script.

'use strict';

const photoUpdates = {
  /** Replaces a photo wherever this page shows it. @param html the photo's new card, `record` its new record */
  async show(html, record) {
    const card = photoUpdates.parse(html);
    const replaced = card && document.getElementById(card.id) || photoUpdates.isArticle(record) && photoUpdates.article;
    if (replaced && photoUpdates.isOnScreen(replaced)) await photoUpdates.decode(card);
    photoUpdates.replace(card, record);
  },

  /** @returns the element of a card; null if its template is empty, as a file can be while an editor saves it */
  parse(html) {
    const template = document.createElement('template');
    template.innerHTML = html.replaceAll('\u{10fffd}', () => photos.root.href.replaceAll('&', '&amp;'));
    return template.content.firstElementChild;
  },

  /** The element that shows the photo on its own page; null on other pages. */
  article: document.querySelector('article[data-page]'),

  isArticle({ page }) { return this.article?.dataset.page === page; },

  isOnScreen(element) {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom >= 0 && top <= innerHeight;
  },

  /** Decodes the card's picture before it is shown. */
  async decode(card) {
    const copy = card?.querySelector('picture, img')?.cloneNode(true);
    const image = copy?.querySelector('img') || copy;
    if (!image) return;
    image.loading = 'eager';
    await image.decode().catch(() => {});
  },

  /** Replaces a photo at once. The time that this takes does not depend on the number of photos of the page. */
  replace(card, record) {
    const old = card && document.getElementById(card.id);
    if (old) {
      photoUpdates.replaceCard(old, card);
      ratings.markPhoto(document.getElementById(card.id));
    }
    photoUpdates.updateRecords(record);
    if (!card || !photoUpdates.isArticle(record)) return;
    photoUpdates.updateArticle(photoUpdates.article, card, record);
    ratings.markPhoto(photoUpdates.article);
  },

  replaceCard(old, card) {
    const hasFocus = old.contains(document.activeElement);
    old.replaceWith(card);
    if (hasFocus) card.querySelector('a').focus({ preventScroll: true });
  },

  /** Updates the photo's own page with the picture and words of the card. */
  updateArticle(article, card, { images }) {
    const largest = images && photos.address(images.at(-1)[2]);
    if (!largest || article.querySelector('.picture a')?.href !== largest) {
      photoUpdates.replacePicture(article, card, largest, images?.at(-1));
    }
    article.dataset.state = card.dataset.state;
    article.classList.toggle('missing', !images);
    const paragraphs = [...card.querySelectorAll('.states, .reason, .state-details')];
    const description = paragraphs.map(paragraph => paragraph.cloneNode(true));
    const outdated = [...article.querySelectorAll('.description > :is(.states, .reason, .state-details)')];
    article.querySelector('h1').after(...description);
    for (const paragraph of outdated) paragraph.remove();
  },

  /**
   * @param largest the address of the widest picture, to which the new picture gets a link; undefined without one
   * @param size    the width and height of the widest picture
   */
  replacePicture(article, card, largest, [width, height] = [3, 2]) {
    const picture = card.querySelector('.picture').cloneNode(true);
    // These are the sizes of photo.mustache.
    const ratio = clamp(width / height, .5, 3.5).toFixed(2);
    const sizes = `(max-aspect-ratio: ${width}/${height}) 100vw, calc(${ratio}*(100vh - 9rem))`;
    for (const element of picture.querySelectorAll('source, img')) Object.assign(element, { sizes, loading: 'eager' });
    if (largest && !picture.querySelector('a')) {
      const link = document.createElement('a');
      link.href = largest;
      link.dataset.viewer = '';
      link.append(...picture.childNodes);
      picture.append(link);
    }
    const old = article.querySelector('.picture');
    const hasFocus = old.contains(document.activeElement);
    old.className = ['picture', ...card.classList].filter(name => !/^(card|missing)$/.test(name)).join(' ');
    old.replaceChildren(...picture.childNodes);
    if (hasFocus) old.querySelector('a')?.focus({ preventScroll: true });
    // The page gets these parts of the new picture when it is loaded again.
    const outdated = '[data-compare], .compare-with, .compare, dl > div:has([download], code)';
    for (const part of article.querySelectorAll(outdated)) part.remove();
  },

  /** Gives the search and the viewer the new record. */
  updateRecords(record) {
    const { page, state, stale, mark } = record;
    photos.updates[page] = record;
    const { index } = window.gallerySearch || {};
    const number = index ? index.pages.indexOf(page) : -1;
    // Of several marks, the record has the code of the foremost.
    if (number >= 0) index.state[number] = [state, stale && 'stale', mark].filter(Boolean).join(' ');
    const known = photos.records.find(known => known?.page === page);
    // A card that waited is shown later with the same record.
    if (known && known !== record) {
      // A record has no members without a value, such as the reason of a photo that has recovered.
      for (const name of Object.keys(known)) delete known[name];
      Object.assign(known, record);
    }
    if (viewer?.isOpen && viewer.record === known) photoUpdates.showInViewer();
  },

  /** Shows the changed record of the viewer's photo. */
  showInViewer() { viewer.show(viewer.index); },

  /** Loads the page again, and restores the focus. */
  reload() {
    const { activeElement } = document;
    const { id } = activeElement?.closest('.card') || {};
    const name = activeElement?.name;
    const focus = id ? `#${CSS.escape(id)} a` : name && `[name="${name}"]`;
    history.replaceState({ ...history.state, focus }, '');
    location.reload();
  },
};
