// The photos of this page, and on demand those of the whole site.
'use strict';

const photos = {
  /** The site's folder, taken before the address of the page is ever replaced by a photo's. */
  root: new URL(document.documentElement.dataset.root || '.', location.href),

  /** The absolute address of a path that is relative to the site. */
  address(path) { return new URL(path, this.root).href; },

  /** What was found, while something is looked for. */
  shown: null,

  /** What the page itself shows, in its order: each photo's record, with the element that shows it. */
  onPage() {
    const cards = document.querySelectorAll('.results > *');
    if (this.shown) return this.shown.map((record, number) => ({ ...record, element: cards[number] }));
    return [...document.querySelectorAll('[data-photo]')].filter(element => !element.closest('[hidden]'))
      .map(element => this.record(element));
  },

  record(element) { return { ...JSON.parse(element.dataset.photo), element }; },

  /** All photos of the site. A script and not a request for data, which pages opened from the disk may not make. */
  all() {
    this.loading ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = this.searchAddress;
      script.onload = () => resolve(window.galleryPhotos);
      script.onerror = () => {
        this.loading = null;
        script.remove();
        reject(new Error('search.js could not be loaded'));
      };
      document.head.append(script);
    });
    return this.loading;
  },

  searchAddress: document.getElementById('search-data')?.href,

  /** The narrowest picture that fills `width` device pixels, else the widest. */
  image(record, width) {
    const images = record.images || [];
    return images.find(image => image[0] >= width) || images.at(-1);
  },
};

/** Puts values in the places of a sentence: "{n} of {total}". */
function sentence(pattern, values) {
  return pattern.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
