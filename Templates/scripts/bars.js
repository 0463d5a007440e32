// The bars of the viewer. They are hidden after some time without input, and a tap shows or hides them.

class Bars {
  /** The time without input after which the bars are hidden, in milliseconds. */
  static delay = 3000;

  /** @param isPinned a function that says whether the bars must stay visible */
  constructor(dialog, isPinned) {
    Object.assign(this, { dialog, isPinned });
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel']) {
      dialog.addEventListener(type, event => this.handle(event), { passive: true });
    }
    // The dialog itself gets the focus by a tap, which shows or hides the bars anyway.
    dialog.addEventListener('focusin', ({ target }) => target === dialog || this.show());
  }

  get areHidden() { return this.dialog.classList.contains('idle'); }

  /** Shows the bars at any input. A touch does not show hidden bars, because a finger may only move the picture. */
  handle({ pointerType }) { if (pointerType !== 'touch' || !this.areHidden) this.show(); }

  show() {
    this.dialog.classList.remove('idle');
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hide(), Bars.delay);
  }

  hide() {
    if (this.isPinned()) return this.show();
    this.dialog.classList.add('idle');
  }

  toggle() {
    if (this.areHidden) this.show();
    else this.hide();
  }
}
