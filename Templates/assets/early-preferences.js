// The preferences of the visitor. Runs before the first paint, so that the page appears in the preferred view mode.
'use strict';

/** What a visitor chose on this device. Without storage (blocked, or full) a choice lasts as long as the page. */
const preferences = {
  get(key) {
    try { return JSON.parse(localStorage.getItem('gallerygen.' + key)); } catch { return null; }
  },

  set(key, value) {
    try { localStorage.setItem('gallerygen.' + key, JSON.stringify(value)); } catch { /* the choice is not kept */ }
  },
};

document.documentElement.classList.toggle('list-view', preferences.get('view') === 'list');

// The transition from page to page. In a style sheet of its own file, the rule may arrive after Chromium has looked for
// it on the new page: the transition is then skipped, and reported as an error.
const pageTransitions = new CSSStyleSheet();
pageTransitions.replaceSync(
  '@media (prefers-reduced-motion: no-preference) { @view-transition { navigation: auto; } }');
document.adoptedStyleSheets = [pageTransitions];
