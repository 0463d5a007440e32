// The keys of the viewer and of a photo's page. A character key presses the button whose data-key contains it. These
// keys can be turned off (WCAG 2.1.4), because speech input may trigger them by accident.

const keyboard = {
  get hasSingleKeys() { return preferences.get('keys') !== false; },

  /** Whether a key is for the page, and not for the browser or the focused element. */
  handles({ key, target, ctrlKey, altKey, metaKey, defaultPrevented }) {
    if (ctrlKey || altKey || metaKey || defaultPrevented) return false;
    if (target.matches('.slider, select') && /^(Arrow|Home|End|Page)/.test(key)) return false;
    if (target.matches('button, input, select, a, summary') && /^( |Enter)$/.test(key)) return false;
    if (target.matches('.panel') && /^Arrow(Up|Down)|^Page/.test(key)) return false;
    return key.length > 1 || (this.hasSingleKeys && !target.matches('[type=search], select'));
  },

  /** Presses the button in the container that has the key. */
  pressButton(container, event) {
    if (event.key.length > 1 || !this.handles(event)) return;
    const buttons = [...container.querySelectorAll('[data-key]')];
    const button = buttons.find(button => button.dataset.key.includes(event.key));
    if (!button) return;
    event.preventDefault();
    button.click();
  },

  /** Handles a key press in the viewer. */
  control(viewer, event) {
    const { zoom } = viewer;
    const arrow = (x, y) => zoom.isZoomed && zoom.pan(-80 * x, -80 * y) || x && viewer.step(x * viewer.forward);
    const action = this.handles(event) && {
      ArrowLeft: () => arrow(-1, 0),
      ArrowRight: () => arrow(1, 0),
      ArrowUp: () => arrow(0, -1),
      ArrowDown: () => arrow(0, 1),
      Home: () => viewer.go(0),
      End: () => viewer.go(viewer.list.length - 1),
      Escape: () => viewer.dismiss(),
      0: () => zoom.zoomTo(1),
    }[event.key];
    if (!action) return this.pressButton(viewer.dialog, event);
    event.preventDefault();
    action();
  },

  /** Keeps the focus in the dialog: Tab moves it from the last element to the first, and Shift+Tab back. */
  trapFocus(event, dialog) {
    const focusable = [...dialog.querySelectorAll('button, input, select, summary, a[href], [tabindex="0"]')]
      .filter(element => element.checkVisibility());
    const ends = [focusable.at(-1), focusable[0]];
    const [from, to] = event.shiftKey ? ends.reverse() : ends;
    const { activeElement } = document;
    if (activeElement !== from && !(event.shiftKey && activeElement === dialog)) return;
    event.preventDefault();
    to.focus();
  },
};
