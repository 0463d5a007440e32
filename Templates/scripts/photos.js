// The photos of this page, and on demand those of the whole site.

'use strict';

const { lang } = document.documentElement;

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

  /** All photos of the site, from one script, ready to be searched. */
  search() { return this.found ??= this.load('search', 'galleryPhotos').then(all => new Search(all)); },

  /**
   * What a script of the site sets, loaded when it is first asked for: a page that was opened from the disk may ask for
   * no data but by scripts. A failure is not kept.
   * @param name of the link to the script, and `variable` that it sets
   */
  load(name, variable) {
    return this.loads[name] ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      // The list of all photos keeps its address when it changes: so no copy that is older than a minute.
      const isKept = name !== 'search' || router.isDisk;
      script.src = this.addresses[name] + (isKept ? '' : '?' + Math.floor(Date.now() / 60000));
      script.onload = () => resolve(window[variable]);
      script.onerror = () => {
        this.loads[name] = this.found = null;
        reject(new Error(script.src));
      };
      document.head.append(script);
    });
  },

  loads: {},

  /** Absolute from the start, as the address of the page changes. */
  addresses: Object.fromEntries([...document.querySelectorAll('link[data-name]')].map(link => [link.dataset.name, link.href])),

  /** The narrowest picture that fills `width` device pixels, else the widest. */
  image(record, width) {
    const images = record.images || [];
    return images.find(image => image[0] >= width) || images.at(-1);
  },

  /** Its address: as WebP where there is one, and the browser has taken such from the page. */
  source([, , path, , webp]) { return this.address(webp && this.takesWebP ? webp : path); },

  get takesWebP() { return this.hasTaken ||= [...document.images].some(image => image.currentSrc.endsWith('.webp')); },
};

/** Puts values in the places of a sentence: "{n} of {total}". */
function sentence(pattern, values) {
  return pattern.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** A sentence that counts, in the form that the language has for the number. @param forms of the sentence, as JSON */
function counted(forms, count) {
  const texts = JSON.parse(forms);
  const form = count ? new Intl.PluralRules(lang).select(count) : 'zero';
  return sentence(texts[form] || texts.other, { count: count.toLocaleString(lang, { numberingSystem: 'latn' }) });
}

/** The number, or the nearest that is neither below `low` nor above `high`. */
function clamp(number, low, high) { return Math.min(Math.max(number, low), high); }
