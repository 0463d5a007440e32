// One photo's picture on the stage: fitted, drawn, sharper when zoomed; or the reason why there is none.

class Picture {
  prefetch = new Prefetch();

  /** @param actions those of Zoom that are not the picture's own */
  constructor(stage, actions) {
    this.stage = stage;
    this.slide = stage.querySelector('.slide');
    this.trouble = stage.querySelector('.trouble');
    this.zoom = new Zoom(stage, this.slide, {
      ...actions, zoomed: () => this.sharpen(), canZoom: () => this.trouble.hidden,
    });
  }

  show(record) {
    this.record = record;
    // A new one for each photo: the old one would count as moved when it takes another shape.
    const slide = this.slide.cloneNode();
    this.slide.replaceWith(slide);
    this.zoom.slide = this.slide = slide;
    this.fit();
    return this.draw();
  }

  /** Gives up what is under way. */
  clear() {
    this.record = null;
    this.prefetch.want([]);
    this.slide.replaceChildren();
  }

  /** Loads the pictures of these photos, nearest first. */
  ahead(records) { this.prefetch.want(records.map(record => record && this.sharpest(record)).filter(Boolean)); }

  fit() {
    const [width, height] = this.record.images?.at(-1) || [3, 2];
    this.zoom.fit(width, height);
  }

  /** The address of the picture that is sharp at the present zoom, or at the fitted size of another photo. */
  sharpest(record = this.record, scale = 1) {
    const [width, height] = record.images?.at(-1) || [];
    if (!width) return null;
    const fitted = Math.min(this.stage.clientWidth / width, this.stage.clientHeight / height, 1) * width;
    return photos.source(photos.image(record, fitted * scale * devicePixelRatio));
  }

  async draw() {
    const { record } = this;
    this.slide.replaceChildren();
    this.trouble.hidden = true;
    const address = this.sharpest();
    if (!address) return this.fail('reason');
    const preview = record.element?.querySelector('img');
    const load = this.prefetch.load(address);
    if (!load.isReady && preview?.complete && preview.naturalWidth) {
      const image = new Image();
      image.src = preview.currentSrc;
      this.place(image);
    }
    this.stage.classList.toggle('loading', !load.isReady);
    const image = await load.decoded.catch(() => null);
    if (record !== this.record) return;
    if (!image) return this.fail('broken');
    this.stage.classList.remove('loading');
    this.place(image);
  }

  place(image) {
    image.alt = this.record.alt || this.record.name;
    image.className = 'after';
    const old = this.slide.querySelector('.after');
    if (old) old.replaceWith(image);
    else this.slide.prepend(image);
  }

  async sharpen() {
    const { record } = this;
    const shown = this.slide.querySelector('.after');
    const address = record && this.sharpest(record, this.zoom.scale);
    if (!shown || !address) return;
    const widthOf = source => record.images.find(image => photos.source(image) === source)?.[0];
    if (widthOf(shown.src) >= widthOf(address)) return;
    // A larger one that can't be had leaves the one that is shown.
    const image = await this.prefetch.need(address);
    if (image && record === this.record && this.trouble.hidden) this.place(image);
  }

  /** @param why "broken" for a picture that did not load, "reason" for a photo that has none */
  fail(why) {
    this.stage.classList.remove('loading');
    this.slide.replaceChildren();
    this.trouble.hidden = false;
    for (const part of this.trouble.children) part.hidden = part.dataset.trouble !== why;
    const reason = this.trouble.querySelector('[data-trouble=reason]');
    reason.textContent = this.record.reason || reason.dataset.new;
  }

  /** Comes in from the side, as fast as the finger was that brought it. @param from px, `speed` in px a millisecond */
  arrive(from, speed) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const duration = clamp(Math.abs(from / speed), 120, 320);
    this.slide.animate([{ transform: `translate(${from}px)` }, { transform: 'none' }], { duration, easing: 'ease-out' });
  }
}
