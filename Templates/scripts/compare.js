// The unfiltered picture over the filtered one, up to where a slider stands.

class Compare {
  constructor(picture, button) {
    this.picture = picture;
    this.button = button;
    this.wipe = picture.stage.querySelector('.wipe');
    this.sides = picture.stage.querySelector('.sides');
  }

  get isOn() { return !this.wipe.hidden; }

  async set(isOn) {
    const { picture: { record, slide, zoom, prefetch }, wipe } = this;
    this.button.disabled = !record.original || !record.images;
    isOn &&= !this.button.disabled;
    wipe.hidden = this.sides.hidden = !isOn;
    this.button.ariaPressed = isOn;
    slide.querySelector('.before')?.remove();
    if (!isOn) return;
    zoom.reset();
    wipe.value = 50;
    wipe.dispatchEvent(new Event('input', { bubbles: true }));
    wipe.focus();
    const image = await prefetch.need(photos.source(record.original));
    if (record !== this.picture.record || !this.isOn) return;
    if (!image) return this.set(false);
    image.alt = '';
    image.className = 'before';
    slide.append(image);
  }

  /** In the viewer and on a photo's page: the style sheet cuts the picture at the value of the slider. */
  static cut({ target }) {
    if (target.matches('.wipe')) target.parentNode.style.setProperty('--at', target.value + '%');
  }
}
