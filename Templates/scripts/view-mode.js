// The view mode of the list, grid or list: a preference that early-preferences.js applies before the first paint.

const viewMode = {
  /** @param mode "grid" or "list" */
  choose(mode) {
    preferences.set('view', mode);
    document.documentElement.classList.toggle('list-view', mode === 'list');
    this.mark();
  },

  mark() {
    const mode = document.documentElement.classList.contains('list-view') ? 'list' : 'grid';
    for (const button of document.querySelectorAll('[data-view-mode]')) {
      button.ariaPressed = button.dataset.viewMode === mode;
    }
  },
};
