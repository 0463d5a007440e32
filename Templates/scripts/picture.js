// One photo's picture on the stage: fitted, loaded, sharper when zoomed; or the reason why there is none.

class Picture {
  prefetch = new Prefetch();

  /** @param actions those of Zoom that are not the picture's own */
  constructor(stage, actions) {
    this.stage = stage;
    this.slide = stage.querySelector('.slide');
    this.error = stage.querySelector('.error');
    this.zoom = new Zoom(stage, this.slide, {
      ...actions, zoomed: () => this.sharpen(), canZoom: () => this.error.hidden,
    });
  }

  show(record) {
    this.record = record;
    // Each photo has a new slide: browsers would count one that takes another shape as a layout shift.
    const slide = this.slide.cloneNode();
    this.slide.replaceWith(slide);
    this.zoom.slide = this.slide = slide;
    this.fit();
    return this.draw();
  }

  /** Removes the picture, and cancels all loads. */
  clear() {
    this.record = null;
    this.prefetch.want([]);
    this.slide.replaceChildren();
  }

  /** Loads the pictures of these photos, in the order given. */
  preload(records) { this.prefetch.want(records.map(record => record && this.sharpest(record)).filter(Boolean)); }

  fit() {
    const [width, height] = this.record.images?.at(-1) || [3, 2];
    this.zoom.fit(width, height);
  }

  /** The address of the picture that is sharp at the scale given. */
  sharpest(record = this.record, scale = 1) {
    const [width, height] = record.images?.at(-1) || [];
    if (!width) return null;
    const fitted = Math.min(this.stage.clientWidth / width, this.stage.clientHeight / height, 1) * width;
    return photos.source(photos.image(record, fitted * scale * devicePixelRatio));
  }

  async draw() {
    const { record } = this;
    this.slide.replaceChildren();
    this.error.hidden = true;
    const address = this.sharpest();
    if (!address) return this.fail('reason');

    const preview = record.element?.querySelector('img');
    const load = this.prefetch.load(address);
    if (!load.isReady && preview?.complete && preview.naturalWidth) {
      const image = new Image();
      image.src = preview.currentSrc;
      this.insert(image);
    }
    this.stage.classList.toggle('loading', !load.isReady);

    const image = await load.decoded.catch(() => null);
    if (record !== this.record) return;
    if (!image) return this.fail('load');
    this.stage.classList.remove('loading');
    this.insert(image);
  }

  insert(image) {
    image.alt = this.record.alt || this.record.name;
    image.className = 'after';
    const old = this.slide.querySelector('.after');
    if (old) old.replaceWith(image);
    else this.slide.prepend(image);
  }

  /** Replaces the picture with a larger one where the zoom needs it. */
  async sharpen() {
    const { record } = this;
    const shown = this.slide.querySelector('.after');
    const address = record && this.sharpest(record, this.zoom.scale);
    if (!shown || !address) return;
    const widthOf = source => record.images.find(image => photos.source(image) === source)?.[0];
    if (widthOf(shown.src) >= widthOf(address)) return;

    // If the larger picture can't be loaded, the one that is shown stays.
    const image = await this.prefetch.loadKept(address);
    if (image && record === this.record && this.error.hidden) this.insert(image);
  }

  /** @param kind "load" for a picture that did not load, "reason" for a photo that has none */
  fail(kind) {
    this.stage.classList.remove('loading');
    this.slide.replaceChildren();
    this.error.hidden = false;
    for (const part of this.error.children) part.hidden = part.dataset.error !== kind;
    const reason = this.error.querySelector('[data-error=reason]');
    reason.textContent = this.record.reason || reason.dataset.new;
  }

  /** Slides the picture in from the side, as fast as the finger moved. @param from px, `speed` in px a millisecond */
  slideIn(from, speed) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const duration = clamp(Math.abs(from / speed), 120, 320);
    const frames = [{ transform: `translate(${from}px)` }, { transform: 'none' }];
    this.slide.animate(frames, { duration, easing: 'ease-out' });
  }
}
