// Keeps an open viewer as it is while its photo changes.

const previewViewer = {
  /** The paths of the pages of the viewer's photos: the current one, its neighbours, and those of the strip. */
  pages() {
    const { index, direction, list, strip } = viewer;
    const indexes = [0, 1, -1, 2].map(by => viewer.wrap(index + by * direction));
    for (let by = 1; strip.isShown && by <= strip.element.clientWidth / Strip.pitch / 2; by++) {
      indexes.push(index + by, index - by);
    }
    return indexes.filter(index => index in list).map(index => viewer.at(index)?.page).filter(Boolean);
  },

  /** Shows the changed record of the current photo. Only a change of its pictures loads the picture again. */
  refresh() {
    const { record, track: { current } } = viewer;
    if (`${record.images}` !== `${current.images}`) return previewViewer.keep(() => { viewer.show(viewer.index); });
    current.update(record);
    viewer.describe();
  },

  /** The records that the page had before the latest change, by the paths of the photos' pages. */
  earlier: new Map(),

  /** Changes to the latest list of photos. */
  async renew() {
    for (const record of photos.records) if (record?.images) previewViewer.earlier.set(record.page, { ...record });
    // If the list changes again meanwhile, another renewal follows.
    if (photos.loadedIndex) await photos.renew().catch(() => {});
    if (viewer?.isOpen) await previewViewer.keep(() => viewer.catchUp());
  },

  /** Loads records as `photos.fetch` does. A photo whose new picture is being made keeps the earlier one. */
  async fetch(numbers) {
    const { records } = photos;
    await previewViewer.fetchRecords.call(photos, numbers);
    for (const record of numbers.map(number => records[number])) {
      const known = previewViewer.earlier.get(record?.page);
      if (known && !record.images && record.state !== 'failed') Object.assign(record, known);
    }
  },

  fetchRecords: photos.fetch,

  /** The code of the viewer's script, which the document has run. */
  code: null,

  /**
   * The script of the viewer begins with a line that sets the viewer's markup as a string.
   * @returns the markup, and the code that follows it; null if the script can't be loaded
   */
  async load(address) {
    const response = await fetch(address).catch(() => null);
    if (!response?.ok) return null;
    const text = await response.text();
    const end = text.indexOf('\n');
    return { markup: JSON.parse(/".*"/.exec(text.slice(0, end))[0]), code: text.slice(end) };
  },

  /** Creates the viewer as `createViewer` does, and remembers which of its elements came from the server. */
  async create() {
    const address = photos.addresses.viewer;
    const [markup, script] = await Promise.all([photos.load(address, 'galleryViewer'), previewViewer.load(address)]);
    if (viewer) return;
    document.body.insertAdjacentHTML('beforeend', markup);
    const dialog = document.getElementById('viewer');
    previewMorph.tag(dialog);
    previewViewer.code = script?.code;
    viewer = new Viewer(dialog);
  },

  /**
   * Changes the viewer into that of another script, which may have other words.
   * @returns false if this needs a reload, because the code has changed too
   */
  async change(address) {
    if (address === photos.addresses.viewer) return true;
    if (viewer) {
      const script = await previewViewer.load(address);
      // A file may have changed again since the page was loaded; then another renewal follows.
      if (!script) return true;
      const { markup, code } = script;
      if (code !== previewViewer.code) return false;
      const template = document.createElement('template');
      template.innerHTML = markup;
      previewMorph.change(viewer.dialog, template.content.firstElementChild);
      if (viewer.isOpen) viewer.describe();
    }
    photos.addresses.viewer = address;
    return true;
  },

  /** Does something that may show the current photo again, and restores its zoom and its before/after view. */
  async keep(action) {
    const { record: { page }, zoom: { scale, x, y }, comparison } = viewer;
    const { isOn, slider: { value } } = comparison;
    const focused = previewPage.focused();
    await action();
    if (!viewer.isOpen || viewer.record?.page !== page) return;
    const { zoom } = viewer;
    if (scale > 1 && !zoom.isZoomed) {
      const limited = clamp(scale, 1, zoom.maximum);
      zoom.set(limited, ...zoom.clamped(limited, x, y));
      zoom.changed();
    }
    if (isOn && !comparison.isOn) {
      comparison.set(true);
      comparison.slider.value = value;
      comparison.slider.dispatchEvent(new Event('input', { bubbles: true }));
      focused?.focus({ preventScroll: true });
    }
  },
};

photoUpdates.showInViewer = previewViewer.refresh;
createViewer = previewViewer.create;
photos.fetch = previewViewer.fetch;
