// The view mode of the photos, grid or list. early-preferences.js applies this preference before the first paint.

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
