// The photos of the site: their records, loaded as they are needed, and the elements of this page that show them. A
// photo is known by its number in the list of all photos, from 0.

'use strict';

const { lang } = document.documentElement;

const photos = {
  /** The site's folder, read before the address of the page is ever replaced by a photo's. */
  root: new URL(document.documentElement.dataset.root || '.', location.href),

  /** The absolute address of a path that is relative to the site. */
  address(path) { return new URL(path, this.root).href; },

  /** The fields of the current search, and the numbers of the photos that it found; null without a search. */
  query: null,
  found: null,

  /** By number: the photo's record, once it is loaded. Another publication has another array. */
  records: [],

  /** By the path of the photo's page: what changed after the files of records were written. */
  updates: {},

  /** The element of this page that shows the photo. */
  element(record) { return document.querySelector(`:not([hidden]) > [data-page="${record?.page}"]`); },

  /** The place of an element's photo in the list that the page shows a part of. */
  place(element) {
    const list = element.closest('[data-first]');
    return list.dataset.first - 1 + Math.max(0, [...list.querySelectorAll('[data-page]')].indexOf(element));
  },

  /** The index of the site: which file has a photo's record, and which photos are in an album. */
  async index() {
    if (!this.loadedIndex) this.use(await this.load(this.address('photos.js'), 'galleryIndex'));
    return this.loadedIndex;
  },

  use(index) {
    const files = index.shards.flatMap(([name, count]) => Array(count).fill(name));
    Object.assign(this, { loadedIndex: index, files, records: [] });
  },

  /**
   * Runs an action that loads files of the site. After a failure it runs once more, with the latest publication: the
   * files that an index names are gone after a rebuild.
   */
  async retrying(action) {
    try {
      return await action();
    } catch {
      await this.renew();
      return action();
    }
  },

  /** Goes on with the latest publication. All at once: until everything is loaded, the photos are the earlier ones. */
  renew() {
    return this.renewal ??= this.loadLatest().finally(() => { this.renewal = null; });
  },

  async loadLatest() {
    // No cache may answer with an earlier index.
    const index = await this.load(this.address('photos.js?' + Date.now()), 'galleryIndex');
    if (JSON.stringify(index) === JSON.stringify(this.loadedIndex)) return;
    const search = this.query && await this.search(index);
    this.use(index);
    this.updates = {};
    if (!search || !this.query) return;
    // The visitor may have typed on while the list was loaded.
    this.found = search.matching(this.query);
    dispatchEvent(new Event('found'));
  },

  /** The numbers of the photos that the viewer stays within: a `query` finds them, an `album` has them, or all. */
  async list({ query, album }) {
    // What is on the page counts: a vote may have changed what would be found now.
    if (query === location.search && this.found) return this.found;
    if (query) return (await this.search()).matching(SearchIndex.parse(query));
    const { albums } = await this.index();
    const runs = albums[album || ''] || [[0, this.files.length]];
    return runs.flatMap(([first, count]) => Array.from({ length: count }, (_, place) => first + place));
  },

  /** Loads the records of these photos. */
  async fetch(numbers) {
    const { files, records } = this;
    const wanted = new Set(numbers.filter(number => !records[number]).map(number => files[number]));
    await Promise.all([...wanted].map(async file => {
      const first = files.indexOf(file);
      const loaded = await this.load(this.address(`assets/photos.${file}.js`), 'galleryPhotos');
      for (const [place, record] of loaded.entries()) {
        records[first + place] = Object.assign(record, this.updates[record.page]);
      }
    }));
  },

  async search(index) {
    const { search } = index || await this.index();
    const list = await this.load(this.address(search), 'gallerySearch');
    return list.index ??= new SearchIndex(list);
  },

  /**
   * The value that a script of the site sets, loaded when it is first requested: a page that was opened from the disk
   * may load no data but scripts. A failure is not kept.
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
  // Made once: browsers take longer to make them than to search.
  formatCount.plurals ??= new Intl.PluralRules(lang);
  formatCount.numbers ??= new Intl.NumberFormat(lang, { numberingSystem: 'latn' });
  const texts = JSON.parse(forms);
  const form = count ? formatCount.plurals.select(count) : 'zero';
  return format(texts[form] || texts.other, { count: formatCount.numbers.format(count) });
}

/** The number, or the nearest that is neither below `low` nor above `high`. */
function clamp(number, low, high) { return Math.min(Math.max(number, low), high); }
