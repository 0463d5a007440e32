// The bars of the viewer: they hide while nothing is done, and a tap shows and hides them.

class Bars {
  /** Milliseconds without input. */
  static delay = 3000;

  /** @param isKept whether the bars have to stay now */
  constructor(dialog, isKept) {
    Object.assign(this, { dialog, isKept });
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel']) {
      dialog.addEventListener(type, event => this.handle(event), { passive: true });
    }
    // A tap gives the dialog itself the focus.
    dialog.addEventListener('focusin', ({ target }) => target === dialog || this.show());
  }

  get areHidden() { return this.dialog.classList.contains('idle'); }

  /** A finger moves the picture and leaves the bars as they are. */
  handle({ pointerType }) { if (pointerType !== 'touch' || !this.areHidden) this.show(); }

  show() {
    this.dialog.classList.remove('idle');
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hide(), Bars.delay);
  }

  hide() {
    if (this.isKept()) return this.show();
    this.dialog.classList.add('idle');
  }

  toggle() {
    if (this.areHidden) this.show();
    else this.hide();
  }
}
