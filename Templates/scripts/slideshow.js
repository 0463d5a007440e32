// Goes on by itself, until the last photo or until it is stopped.

class Slideshow {
  static pause = 5000;

  /** @param next goes on, and returns whether there was another photo */
  constructor(button, next) { Object.assign(this, { button, next }); }

  get isOn() { return this.button.ariaPressed === 'true'; }

  set(isOn) {
    // The label stays: it is the state that says whether it runs.
    this.button.ariaPressed = isOn;
    this.wait();
  }

  /** Each photo has its full time, also one that was chosen by hand. */
  wait() {
    clearTimeout(this.timer);
    if (this.isOn) this.timer = setTimeout(() => this.next() || this.set(false), Slideshow.pause);
  }
}
