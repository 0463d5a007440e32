// The address while the viewer is open: that of the photo's own page. From the disk, where a page may not take the
// address of another one, it is a fragment.

const router = {
  isDisk: location.protocol === 'file:',

  /** The path that this document was loaded from. */
  documentPath: location.pathname,

  /** After a reload in the viewer the document is a photo's page, and going back from it changes the address alone. */
  needsReload() { return !this.page() && location.pathname !== this.documentPath; },

  address(record) {
    if (!this.isDisk) return photos.address(record.page);
    return location.pathname + location.search + '#view=' + record.page.slice('photo/'.length, -'.html'.length);
  },

  /** @param scope what the viewer stays within: the `query` of a search, or an `album` */
  push(record, scope) { history.pushState({ viewer: record.page, ...scope }, '', this.address(record)); },

  replace(record, isPlaying) {
    history.replaceState({ ...history.state, viewer: record.page, isPlaying }, '', this.address(record));
  },

  update(values) { history.replaceState({ ...history.state, ...values }, ''); },

  fragment() { return /^#view=(.+)/.exec(location.hash)?.[1]; },

  /** The path of the page of the photo that the viewer is to show, or nothing. */
  page() {
    const slug = this.fragment();
    return slug ? `photo/${slug}.html` : history.state?.viewer;
  },

  /** Makes the addresses in the page absolute, so that they stay right when the address of the page is a photo's. */
  makeAbsolute() {
    if (this.isDisk || this.isAbsolute) return;
    this.isAbsolute = true;
    for (const icon of document.querySelectorAll('link[rel=icon]')) icon.href = icon.href;
    for (const image of document.querySelectorAll('source, img[src]')) {
      image.srcset = image.srcset.replace(/\S+(?= \d)/g, path => new URL(path, location.href));
      if (image.src) image.src = image.src;
    }
  },
};
