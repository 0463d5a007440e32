// Exchanges the style sheets of the page for newer ones, without a moment in which the page has none or both.

const previewStylesheets = {
  /**
   * Loads the style sheets of a newer version of the page that this page does not have.
   * @returns a function that makes them valid and removes those that the newer version does not have; null if a style
   *          sheet could not be loaded
   */
  async prepare(next) {
    const old = previewStylesheets.links(document);
    const byAddress = new Map(old.map(link => [link.href, link]));
    const added = [];
    let previous = null;
    for (const wanted of previewStylesheets.links(next)) {
      const { href } = new URL(wanted.getAttribute('href'), previewMorph.base);
      const known = byAddress.get(href);
      const link = known || document.createElement('link');
      byAddress.delete(href);
      if (!known) {
        // With this medium, the browser loads a style sheet without applying it.
        Object.assign(link, { rel: 'stylesheet', href, media: 'not all' });
        added.push({ link, media: wanted.media, isLoaded: previewStylesheets.insert(link, previous || old[0]) });
      }
      previous = link;
    }

    const outdated = [...byAddress.values()];
    const loaded = await Promise.all(added.map(({ isLoaded }) => isLoaded));
    if (loaded.includes(false)) {
      for (const { link } of added) link.remove();
      return null;
    }
    return () => {
      for (const { link, media } of added) link.media = media;
      for (const link of outdated) link.remove();
    };
  },

  links(page) { return [...page.querySelectorAll('head > link[rel="stylesheet"]')]; },

  /** @returns whether the style sheet could be loaded */
  insert(link, previous) {
    return new Promise(resolve => {
      link.onload = () => resolve(true);
      link.onerror = () => resolve(false);
      if (previous) previous.after(link);
      else document.head.append(link);
    });
  },
};
