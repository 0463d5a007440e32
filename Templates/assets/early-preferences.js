// The preferences of the visitor. Runs before the first paint, so that the page appears in the preferred view mode, and
// with room for the number of photos found if its address has a search.
'use strict';

/** The choices of the visitor on this device. If storage is blocked or full, a choice is lost when the page closes. */
const preferences = {
  get(key) {
    try { return JSON.parse(localStorage.getItem('gallerygen.' + key)); } catch { return null; }
  },

  set(key, value) {
    try { localStorage.setItem('gallerygen.' + key, JSON.stringify(value)); } catch { /* the choice is not stored */ }
  },
};

document.documentElement.classList.toggle('list-view', preferences.get('view') === 'list');
const { classList } = document.documentElement;
classList.toggle('searching', /[?&](q|state|album|tag|rating|sort)=./.test(location.search));
// If the script of the search does not come, nothing stays hidden.
addEventListener('load', () => setTimeout(() => classList.remove('searching'), 3000));

// The transition between pages. If the rule were in a CSS file, it could arrive too late on the new page, and Chromium
// would skip the transition and report an error.
const pageTransitions = new CSSStyleSheet();
pageTransitions.replaceSync(
  '@media (prefers-reduced-motion: no-preference) { @view-transition { navigation: auto; } }');
document.adoptedStyleSheets = [pageTransitions];
