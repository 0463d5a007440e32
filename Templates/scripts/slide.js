// A slide of the viewer with one photo. It fits and loads the picture, and loads a larger one when it is zoomed. If the
// photo has no picture, the slide shows the reason.

class Slide {
  /** @param stage the box into which the picture is fitted */
  constructor(element, stage, prefetch) {
    Object.assign(this, { element, stage, prefetch, error: element.querySelector('.error') });
    this.zoom = new Zoom(stage, () => {
      element.classList.toggle('zoomed', this.zoom.isZoomed);
      this.sharpen();
    });
  }

  /** @param record the photo's record; none before the first and after the last photo */
  show(record) {
    if (record && record === this.record && record.images === this.images) return;
    Object.assign(this, { record, images: record?.images });
    this.fit();
    this.draw();
  }

  fit() {
    // A new element is created, because browsers count it as a layout shift if an element changes its shape.
    const box = document.createElement('div');
    box.className = 'picture';
    if (this.box) box.append(...this.box.childNodes);
    this.box?.remove();
    this.element.prepend(this.box = box);
    this.element.classList.remove('zoomed');
    if (!this.record) return;
    box.style.background = this.record.placeholderColour || this.backing;
    this.zoom.fit(box, ...this.images?.at(-1).slice(0, 2) || [3, 2]);
  }

  /** What is behind a picture with transparency, which is a PNG: a colour on which dark drawings and white ones can be
   *  seen. The stage is nearly black. */
  get backing() { return this.images?.at(-1)[2].endsWith('.png') ? 'var(--muted-text)' : ''; }

  /** The address of the picture that is sharp at a scale. */
  static address(record, stage, scale = 1) {
    const [width, height] = record.images?.at(-1) || [];
    if (!width) return null;
    const fitted = Zoom.ratio(stage, width, height) * width;
    return photos.source(photos.image(record, fitted * scale * devicePixelRatio));
  }

  /** The picture of the photo on the page, if it is there. */
  static preview(record) {
    const image = photos.element(record)?.querySelector('img');
    return image?.complete && image.naturalWidth ? image.currentSrc : null;
  }

  /** Shows the picture, or the smaller one of the page while the picture is not loaded. */
  draw() {
    const { record, stage } = this;
    this.box.replaceChildren();
    this.error.hidden = true;
    this.element.classList.remove('loading');
    if (!record) return;
    const address = Slide.address(record, stage);
    if (!address) return this.fail('reason');

    const load = this.prefetch.loads.get(address);
    const preview = Slide.preview(record);
    if (load?.isReady) this.insert(load.image);
    else if (preview) this.insert(Object.assign(new Image(), { decoding: 'sync', src: preview }));
  }

  /** Replaces the record with a newer one of the same photo, which has the same pictures. */
  update(record) {
    Object.assign(this, { record, images: record.images });
    if (!this.error.hidden) this.draw();
    this.load();
  }

  /** Loads the picture with priority over all others. @returns whether it is shown, or the photo has none */
  async load() {
    const { record } = this;
    const address = Slide.address(record, this.stage);
    if (!address) return true;
    const load = this.prefetch.load(address);
    this.element.classList.toggle('loading', !load.isReady);
    const image = await load.decoded.catch(() => null);
    if (record !== this.record) return true;
    this.element.classList.remove('loading');
    if (image) this.insert(image);
    else this.fail('load');
    return !!image;
  }

  /** The picture that is shown. */
  get image() { return this.box.querySelector('.after'); }

  widthOf({ src }) { return this.images.find(image => photos.source(image) === src)?.[0] || 0; }

  insert(image) {
    const shown = this.image;
    if (shown === image || shown && this.widthOf(shown) > this.widthOf(image)) return;
    // Another slide may show the same element, because two photos may have the same picture.
    if (image.isConnected) image = image.cloneNode();
    image.alt = this.record.alt || this.record.name;
    image.className = 'after';
    // Otherwise the mouse would drag a copy of the picture, which the browser would have to decode.
    image.draggable = false;
    if (shown) shown.replaceWith(image);
    else this.box.prepend(image);
  }

  /** Replaces the picture with a larger one if the zoom needs it. */
  async sharpen() {
    const { record } = this;
    const address = record && Slide.address(record, this.stage, this.zoom.scale);
    if (!address || !this.image || this.widthOf(this.image) >= this.widthOf({ src: address })) return;
    // If the larger picture can't be loaded, the current one stays.
    const image = await this.prefetch.loadUncancelled(address);
    if (image && record === this.record && this.error.hidden) this.insert(image);
  }

  /** @param kind "load" if the picture could not be loaded, "reason" if the photo has none */
  fail(kind) {
    this.box.replaceChildren();
    this.zoom.maximum = 1;
    this.error.hidden = false;
    this.error.dataset.state = this.record.state;
    for (const part of this.error.children) part.hidden = part.dataset.error !== kind;
    const reason = this.error.querySelector('[data-new]');
    reason.textContent = this.record.reason || reason.dataset.new;
  }
}
