// The address while the viewer is open, which is that of the photo's own page. If the page was opened from the disk, it
// may not take the address of another page, so the photo is in the fragment.

const router = {
  isDisk: location.protocol === 'file:',

  /** The path from which this document was loaded. */
  documentPath: location.pathname,

  /** Whether the document is not the page of the address. After a reload in the viewer, going back causes this. */
  needsReload() { return !this.page() && location.pathname !== this.documentPath; },

  address(record) {
    if (!this.isDisk) return photos.address(record.page);
    return location.pathname + location.search + '#view=' + record.page.slice('photo/'.length, -'.html'.length);
  },

  /** @param scope the photos that the viewer goes through: the `query` of a search, or an `album` */
  push(record, scope) { history.pushState({ viewer: record.page, ...scope }, '', this.address(record)); },

  replace(record, isPlaying) {
    history.replaceState({ ...history.state, viewer: record.page, isPlaying }, '', this.address(record));
  },

  update(values) { history.replaceState({ ...history.state, ...values }, ''); },

  fragment() { return /^#view=(.+)/.exec(location.hash)?.[1]; },

  /** The path of the page of the photo that the viewer has to show; undefined if the viewer is to be closed. */
  page() {
    const slug = this.fragment();
    return slug ? `photo/${slug}.html` : history.state?.viewer;
  },

  /** Makes the addresses in the page absolute, so that they stay valid when the address of the page changes. */
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
