// The before/after view. The unfiltered picture, or an earlier version, covers the picture from the left edge to the
// slider's handle.

class Comparison {
  constructor(stage, track, button) {
    Object.assign(this, { stage, track, button });
    this.slider = stage.querySelector('.slider');
    this.labels = stage.querySelector('.slider-labels');
  }

  get isOn() { return !this.slider.hidden; }

  async set(isOn) {
    const { stage, slider, track: { current } } = this;
    const { record, zoom, box, prefetch } = current;
    this.button.disabled = !record.original || !record.images;
    isOn &&= !this.button.disabled;

    // A hidden element loses the focus, and the dialog would no longer get key presses.
    if (!isOn && slider.matches(':focus')) slider.closest('dialog').focus();
    slider.hidden = this.labels.hidden = !isOn;
    this.button.ariaPressed = isOn;
    stage.querySelector('.before')?.remove();
    if (!isOn) return;

    zoom.zoomTo(1);
    this.layOut();
    slider.value = 50;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    slider.focus();

    const image = await prefetch.loadUncancelled(photos.source(record.original));
    if (box !== this.track.current.box || !this.isOn) return;
    if (!image) return this.set(false);
    image.alt = '';
    image.className = 'before';
    box.append(image);
  }

  /** Positions the slider over the fitted picture. */
  layOut() {
    const { zoom } = this.track.current;
    for (const side of ['width', 'height']) this.stage.style.setProperty('--' + side, zoom[side] + 'px');
  }

  /** Shows or hides the comparison on a photo's page: the unfiltered picture or an earlier version over the picture. */
  static toggle(button) {
    const slider = document.querySelector('.photo-stage .slider');
    const isOn = slider.hidden;
    slider.hidden = !isOn;
    button.ariaPressed = isOn;
    const choice = document.querySelector('.compare-with');
    if (choice) choice.hidden = !isOn;
    this.show(isOn);
    if (isOn) slider.focus();
  }

  /** Lays the chosen picture over that of the page, or removes it. */
  static show(isOn = true) {
    document.querySelector('.photo-stage .before')?.remove();
    if (!isOn) return;
    const number = document.querySelector('.compare-with select')?.selectedIndex ?? 0;
    const image = document.querySelectorAll('.compare img')[number].cloneNode();
    // The copy is not loaded lazily, because browsers may regard a clipped picture as not visible.
    image.loading = 'eager';
    image.classList.add('before');
    document.querySelector('.photo-stage .picture').append(image);
  }

  /** In the viewer and on a photo's page, the style sheet clips the picture of before at `--slider-position`. */
  static clip({ target }) {
    if (target.matches('.slider')) target.parentNode.style.setProperty('--slider-position', target.value + '%');
  }
}
