// The photos of this page, and on demand those of the whole site.

'use strict';

const { lang } = document.documentElement;

const photos = {
  /** The site's folder, read before the address of the page is ever replaced by a photo's. */
  root: new URL(document.documentElement.dataset.root || '.', location.href),

  /** The absolute address of a path that is relative to the site. */
  address(path) { return new URL(path, this.root).href; },

  /** The records that the current search found; null without a search. */
  found: null,

  /** The photos that the page shows, in its order: each one's record, with the element that shows it. */
  onPage() {
    const cards = document.querySelectorAll('.results > *');
    if (this.found) return this.found.map((record, number) => ({ ...record, element: cards[number] }));
    return [...document.querySelectorAll('[data-photo]')].filter(element => !element.closest('[hidden]'))
      .map(element => this.record(element));
  },

  record(element) { return { ...JSON.parse(element.dataset.photo), element }; },

  /** The index of all photos of the site, loaded once. */
  index() {
    return this.loadedIndex ??= this.load('search', 'galleryPhotos').then(records => new SearchIndex(records));
  },

  /**
   * The value that a script of the site sets, loaded when it is first requested: a page that was opened from the disk
   * may load no data but scripts. A failure is not kept.
   * @param name of the link to the script, and `variable` that it sets
   */
  load(name, variable) {
    return this.loads[name] ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      // The list of all photos changes while its address does not: the minute in the query bounds a cached copy's age.
      const isCacheable = name !== 'search' || router.isDisk;
      script.src = this.addresses[name] + (isCacheable ? '' : '?' + Math.floor(Date.now() / 60000));
      script.onload = () => resolve(window[variable]);
      script.onerror = () => {
        this.loads[name] = this.loadedIndex = null;
        reject(new Error(script.src));
      };
      document.head.append(script);
    });
  },

  loads: {},

  /** Absolute from the start, as the address of the page changes. */
  addresses: Object.fromEntries(
    [...document.querySelectorAll('link[data-script]')].map(link => [link.dataset.script, link.href])),

  /** The narrowest picture that fills `width` device pixels, else the widest. */
  image(record, width) {
    const images = record.images || [];
    return images.find(image => image[0] >= width) || images.at(-1);
  },

  /** The picture's address: as WebP if there is one, and the browser has chosen WebP for the page. */
  source([, , path, , webp]) { return this.address(webp && this.choosesWebP ? webp : path); },

  get choosesWebP() {
    return this.hasChosenWebP ||= [...document.images].some(image => image.currentSrc.endsWith('.webp'));
  },
};

/** Fills the placeholders of a message: "{n} of {total}". */
function format(message, values) {
  return message.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Fills a message that counts, in the plural form of the language. @param forms of the message, as JSON */
function formatCount(forms, count) {
  const texts = JSON.parse(forms);
  const form = count ? new Intl.PluralRules(lang).select(count) : 'zero';
  return format(texts[form] || texts.other, { count: count.toLocaleString(lang, { numberingSystem: 'latn' }) });
}

/** The number, or the nearest that is neither below `low` nor above `high`. */
function clamp(number, low, high) { return Math.min(Math.max(number, low), high); }
