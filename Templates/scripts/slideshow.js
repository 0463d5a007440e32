// The slideshow: shows one photo after the other, until the last one or until it is stopped.

class Slideshow {
  /** Milliseconds for each photo. */
  static interval = 5000;

  /** @param next shows the next photo, and returns whether there was one */
  constructor(button, next) { Object.assign(this, { button, next }); }

  get isOn() { return this.button.ariaPressed === 'true'; }

  set(isOn) {
    // The button's label stays: aria-pressed alone tells whether the slideshow runs.
    this.button.ariaPressed = isOn;
    this.restartTimer();
  }

  /** Each photo has its full time, also one that the visitor went to. */
  restartTimer() {
    clearTimeout(this.timer);
    if (this.isOn) this.timer = setTimeout(() => this.next() || this.set(false), Slideshow.interval);
  }
}
