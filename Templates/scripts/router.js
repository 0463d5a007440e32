// The address while the viewer is open: the photo's own page, or on the disk, where a page may not take the address of
// another one, a fragment.

const router = {
  isDisk: location.protocol === 'file:',

  /** Where this document came from. */
  home: location.pathname,

  /** After a reload in the viewer the document is a photo's page, and going back from it changes the address alone. */
  isAstray() { return !this.page() && location.pathname !== this.home; },

  of(record) {
    if (!this.isDisk) return photos.address(record.page);
    return location.pathname + location.search + '#view=' + record.page.slice('photo/'.length, -'.html'.length);
  },

  /** @param query what the list of the viewer was found by, if it was */
  push(record, query) { history.pushState({ viewer: record.page, query }, '', this.of(record)); },

  replace(record, isPlaying) { history.replaceState({ ...history.state, viewer: record.page, isPlaying }, '', this.of(record)); },

  note(values) { history.replaceState({ ...history.state, ...values }, ''); },

  fragment() { return /^#view=(.+)/.exec(location.hash)?.[1]; },

  /** The photo that the viewer is to show, by its page, or nothing. */
  page() {
    const slug = this.fragment();
    return slug ? `photo/${slug}.html` : history.state?.viewer;
  },

  /** Makes the page's own addresses absolute, so that they stay right when the address of the page is a photo's. */
  pin() {
    if (this.isDisk || this.isPinned) return;
    this.isPinned = true;
    for (const icon of document.querySelectorAll('link[rel=icon]')) icon.href = icon.href;
    for (const image of document.querySelectorAll('source, img[src]')) {
      image.srcset = image.srcset.replace(/\S+(?= \d)/g, path => new URL(path, location.href));
      if (image.src) image.src = image.src;
    }
  },
};
