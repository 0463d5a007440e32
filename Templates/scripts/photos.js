// The photos of the site: their records, which are loaded on demand, and the elements of this page that show them. The
// number of a photo is its position in the list of all photos, from 0.

'use strict';

const { lang } = document.documentElement;

const photos = {
  /** The site's folder. It is computed before the viewer replaces the address of the page for the first time. */
  root: new URL(document.documentElement.dataset.root || '.', location.href),

  /** The absolute address of a path that is relative to the site. */
  address(path) { return new URL(path, this.root).href; },

  /** The fields of the current search, and the numbers of the photos found; null without a search. */
  query: null,
  found: null,

  /** The loaded records, by number. A new publication gets a new array. */
  records: [],

  /** Changes since the files of records were written, by the path of the photo's page. */
  updates: {},

  /** The state for a place with room for one: that the photo is stale, or its foremost mark, or its state. */
  shownState({ stale, mark, state }) { return stale ? 'stale' : mark || state; },

  /** The element of this page that shows the photo. */
  element(record) { return document.querySelector(`:not([hidden]) > [data-page="${record?.page}"]`); },

  /** The position of an element's photo in the list of which this page shows a part. */
  position(element) {
    const list = element.closest('[data-first]');
    return list.dataset.first - 1 + Math.max(0, [...list.querySelectorAll('[data-page]')].indexOf(element));
  },

  /** The index of the site. It says which file contains a photo's record, and which photos are in an album. */
  async index() {
    if (!this.loadedIndex) this.use(await this.load(this.address('photos.js'), 'galleryIndex'));
    return this.loadedIndex;
  },

  use(index) {
    const files = index.shards.flatMap(([name, count]) => Array(count).fill(name));
    Object.assign(this, { loadedIndex: index, files, records: [] });
  },

  /**
   * Runs an action that loads files of the site. If it fails, it runs once more with the latest publication, because a
   * rebuild removes the files of an earlier index.
   */
  async retrying(action) {
    try {
      return await action();
    } catch {
      await this.renew();
      return action();
    }
  },

  /** Switches to the latest publication. Until everything is loaded, the earlier photos remain. */
  renew() {
    return this.renewal ??= this.loadLatest().finally(() => { this.renewal = null; });
  },

  async loadLatest() {
    // The query avoids an earlier index from a cache.
    const index = await this.load(this.address('photos.js?' + Date.now()), 'galleryIndex');
    if (JSON.stringify(index) === JSON.stringify(this.loadedIndex)) return;
    const search = this.query && await this.search(index);
    this.use(index);
    this.updates = {};
    if (!search || !this.query) return;
    // The query may have changed while the list was loaded.
    this.found = search.matching(this.query);
    dispatchEvent(new Event('found'));
  },

  /** The numbers of the photos that a `query` finds, of those in an `album`, or of all photos. */
  async list({ query, album }) {
    // The photos of the page are used, because a vote since then may have changed the result of the same query.
    if (query === location.search && this.found) return this.found;
    if (query) return (await this.search()).matching(SearchIndex.parse(query));
    const { albums } = await this.index();
    const runs = albums[album || ''] || [[0, this.files.length]];
    return runs.flatMap(([first, count]) => Array.from({ length: count }, (_, offset) => first + offset));
  },

  /** Loads the records of these photos. */
  async fetch(numbers) {
    const { files, records } = this;
    const wanted = new Set(numbers.filter(number => !records[number]).map(number => files[number]));
    await Promise.all([...wanted].map(async file => {
      const first = files.indexOf(file);
      const loaded = await this.load(this.address(`assets/photos.${file}.js`), 'galleryPhotos');
      for (const [offset, record] of loaded.entries()) {
        records[first + offset] = this.updates[record.page] || record;
      }
    }));
  },

  async search(index) {
    const { search } = index || await this.index();
    const list = await this.load(this.address(search), 'gallerySearch');
    return list.index ??= new SearchIndex(list);
  },

  /**
   * The value that a script of the site sets. It is loaded at the first call. Data is in scripts, because a page that
   * was opened from the disk may load nothing else. A failed load is repeated at the next call.
   */
  load(address, variable) {
    return this.loads[address] ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = address;
      script.onload = () => resolve(window[variable]);
      script.onerror = () => {
        delete this.loads[address];
        reject(new Error(address));
      };
      document.head.append(script);
    });
  },

  loads: {},

  /** Made absolute at the start, because the address of the page changes later. */
  addresses: Object.fromEntries(
    [...document.querySelectorAll('link[data-script]')].map(link => [link.dataset.script, link.href])),

  /** The narrowest picture with at least `width` pixels, or else the widest. */
  image(record, width) {
    const images = record.images || [];
    return images.find(image => image[0] >= width) || images.at(-1);
  },

  /** The picture's address. It is that of the WebP if there is one and the browser chose WebP on this page. */
  source([, , path, , webp]) { return this.address(webp && this.choosesWebP ? webp : path); },

  get choosesWebP() {
    return this.hasChosenWebP ||= [...document.images].some(image => image.currentSrc.endsWith('.webp'));
  },
};

/** Replaces the placeholders of a message such as "{n} of {total}". */
function format(message, values) {
  return message.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Formats a message with a count in the plural form of the language. @param forms the plural forms, as JSON */
function formatCount(forms, count) {
  // Created only once, because this takes browsers longer than a search.
  formatCount.plurals ??= new Intl.PluralRules(lang);
  formatCount.numbers ??= new Intl.NumberFormat(lang, { numberingSystem: 'latn' });
  const texts = JSON.parse(forms);
  const form = count ? formatCount.plurals.select(count) : 'zero';
  return format(texts[form] || texts.other, { count: formatCount.numbers.format(count) });
}

/** Limits a number to the range from `low` to `high`. */
function clamp(number, low, high) { return Math.min(Math.max(number, low), high); }
