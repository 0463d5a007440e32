// The slideshow: shows one photo after the other until it is stopped, or until there is no next one.

class Slideshow {
  /**
   * @param progress the line that grows while a photo is shown, `menu` the choice of seconds for each photo
   * @param next     shows the next photo, and returns whether there was one
   */
  constructor(button, progress, menu, next) {
    Object.assign(this, { button, progress, menu, next });
    menu.value = preferences.get('interval') || 5;
    menu.onchange = () => {
      preferences.set('interval', Number(menu.value));
      this.restartTimer();
    };
  }

  get isOn() { return this.button.ariaPressed === 'true'; }

  set(isOn) {
    // The button's label stays: aria-pressed alone tells whether the slideshow runs.
    this.button.ariaPressed = isOn;
    this.restartTimer();
  }

  /** Each photo has its full time, also one that the visitor went to. */
  restartTimer() {
    clearTimeout(this.timer);
    this.line?.cancel();
    if (!this.isOn) return;
    const duration = this.menu.value * 1000;
    this.timer = setTimeout(async () => await this.next() || this.set(false), duration);
    this.line = this.progress.animate({ transform: ['scaleX(0)', 'none'] }, duration);
  }
}
