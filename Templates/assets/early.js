// Runs before the page is painted, so that the remembered view is there from the start.
'use strict';

/** What a visitor chose on this device. Without storage (blocked, or full) choices last as long as the page. */
const memory = {
  get(key) {
    try { return JSON.parse(localStorage.getItem('gallerygen.' + key)); } catch { return null; }
  },
  set(key, value) {
    try { localStorage.setItem('gallerygen.' + key, JSON.stringify(value)); } catch { /* the choice is not kept */ }
  },
};

document.documentElement.classList.toggle('as-list', memory.get('view') === 'list');
