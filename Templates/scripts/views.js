// Grid or list, as the visitor likes it; remembered. What was chosen before is set by early.js.

const views = {
  /** @param view "grid" or "list" */
  choose(view) {
    memory.set('view', view);
    document.documentElement.classList.toggle('as-list', view === 'list');
    this.mark();
  },

  mark() {
    const view = document.documentElement.classList.contains('as-list') ? 'list' : 'grid';
    for (const button of document.querySelectorAll('[data-as]')) button.ariaPressed = button.dataset.as === view;
  },
};
