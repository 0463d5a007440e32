// Which keys are ours, and what they do in the viewer and on a photo's page. Keys of one character can be turned off, as
// people who speak to their computer need; each of them presses a button, which names it by data-key.

const keys = {
  get areOn() { return memory.get('keys') !== false; },

  /** Whether a key is meant for the page, and not for the browser or for what has the focus. */
  isOurs({ key, target, ctrlKey, altKey, metaKey, defaultPrevented }) {
    if (ctrlKey || altKey || metaKey || defaultPrevented) return false;
    if (target.matches('.wipe') && /^(Arrow|Home|End|Page)/.test(key)) return false;
    if (target.matches('button, input, a, summary') && /^( |Enter)$/.test(key)) return false;
    if (target.matches('.panel') && /^Arrow(Up|Down)|^Page/.test(key)) return false;
    return key.length > 1 || (this.areOn && !target.matches('[type=search], select'));
  },

  /** Presses the button inside `place` that has the key. */
  press(place, event) {
    if (event.key.length > 1 || !this.isOurs(event)) return;
    const button = [...place.querySelectorAll('[data-key]')].find(button => button.dataset.key.includes(event.key));
    if (!button) return;
    event.preventDefault();
    button.click();
  },

  /** The keys with names, in the viewer. */
  go(viewer, event) {
    const arrow = (x, y) => viewer.zoom.isZoomed && viewer.zoom.pan(-80 * x, -80 * y) || x && viewer.step(x * viewer.forward);
    const action = this.isOurs(event) && {
      ArrowLeft: () => arrow(-1, 0), ArrowRight: () => arrow(1, 0), ArrowUp: () => arrow(0, -1), ArrowDown: () => arrow(0, 1),
      Home: () => viewer.go(0), End: () => viewer.go(viewer.list.length - 1), Escape: () => viewer.close(),
      0: () => viewer.zoom.zoomBy(0),
    }[event.key];
    if (!action) return this.press(viewer.dialog, event);
    event.preventDefault();
    action();
  },

  /** Keeps the focus inside: from the last element to the first, and back. */
  trap(event, dialog) {
    const all = [...dialog.querySelectorAll('button, input, a[href], [tabindex="0"]')].filter(element => element.checkVisibility());
    const [from, to] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
    const { activeElement } = document;
    if (activeElement !== from && !(event.shiftKey && activeElement === dialog)) return;
    event.preventDefault();
    to.focus();
  },
};
