// Before and after: the unfiltered picture covers the filtered one, from the left edge to the slider's handle.

class Comparison {
  constructor(picture, button) {
    this.picture = picture;
    this.button = button;
    this.slider = picture.stage.querySelector('.slider');
    this.labels = picture.stage.querySelector('.slider-labels');
  }

  get isOn() { return !this.slider.hidden; }

  async set(isOn) {
    const { picture: { record, slide, zoom, prefetch }, slider } = this;
    this.button.disabled = !record.original || !record.images;
    isOn &&= !this.button.disabled;

    // An element that is hidden loses the focus, and key presses would reach no one.
    if (!isOn && slider.matches(':focus')) slider.closest('dialog').focus();
    slider.hidden = this.labels.hidden = !isOn;
    this.button.ariaPressed = isOn;
    slide.querySelector('.before')?.remove();
    if (!isOn) return;

    zoom.reset();
    slider.value = 50;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    slider.focus();

    const image = await prefetch.loadKept(photos.source(record.original));
    if (record !== this.picture.record || !this.isOn) return;
    if (!image) return this.set(false);
    image.alt = '';
    image.className = 'before';
    slide.append(image);
  }

  /** In the viewer and on a photo's page, the style sheet clips the unfiltered picture at `--slider-position`. */
  static clip({ target }) {
    if (target.matches('.slider')) target.parentNode.style.setProperty('--slider-position', target.value + '%');
  }
}
