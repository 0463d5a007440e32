// The slideshow. It shows one photo after another until it is stopped or there is no next photo.

class Slideshow {
  /**
   * @param progress the line that grows while a photo is shown, `menu` the menu of seconds per photo
   * @param next     a function that shows the next photo, and returns whether there was one
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
    // The button's label does not change, because aria-pressed says whether the slideshow runs.
    this.button.ariaPressed = isOn;
    this.restartTimer();
  }

  /** Gives each photo its full time, even if the visitor went to it. */
  restartTimer() {
    clearTimeout(this.timer);
    this.line?.cancel();
    if (!this.isOn) return;
    const duration = this.menu.value * 1000;
    this.timer = setTimeout(async () => await this.next() || this.set(false), duration);
    this.line = this.progress.animate({ transform: ['scaleX(0)', 'none'] }, duration);
  }
}
