// The view mode of the list, grid or list: a preference that early-preferences.js applies before the first paint.

const viewMode = {
  toggle() {
    const isList = document.documentElement.classList.toggle('list-view');
    preferences.set('view', isList ? 'list' : 'grid');
    this.mark();
  },

  mark() {
    const button = document.querySelector('[data-view-mode]');
    if (button) button.ariaPressed = document.documentElement.classList.contains('list-view');
  },
};
