// Changes the open page into a newer version of the same page. Elements stay, so that they keep the focus, their scroll
// position and everything that scripts have set: what the server did not change is not touched.

const previewMorph = {
  /** The attributes of the elements that came from the server, as it sent them. Other elements are those of scripts. */
  served: new WeakMap(),

  /** The absolute address of the document, which the viewer replaces by those of photos. */
  base: new URL(router.documentPath, location.href).href,

  /** The cards whose content has not been tagged yet. Scripts do not change it. */
  untagged: new WeakSet(),

  /** Remembers that the server sent an element and everything in it. */
  tag(node) {
    const attributes = Object.fromEntries([...node.attributes || []].map(({ name, value }) =>
      [name, previewMorph.absolute(name, value)]));
    previewMorph.served.set(node, attributes);
    // There can be thousands of cards, most of which never change.
    if (node.classList?.contains('card')) previewMorph.untagged.add(node);
    else for (const child of node.childNodes) previewMorph.tag(child);
  },

  /** The value of an attribute with absolute addresses. */
  absolute(name, value) {
    const address = text => URL.parse(text, previewMorph.base)?.href ?? text;
    if (name === 'srcset') return value.replace(/\S+(?= \d)/g, address);
    return /^(src|href)$/.test(name) && !value.startsWith('#') ? address(value) : value;
  },

  /** @param old an element of the page, `next` the same element in its newer version */
  change(old, next) {
    previewMorph.changeAttributes(old, next);
    previewMorph.changeChildren(old, next);
  },

  changeAttributes(old, next) {
    const served = previewMorph.served.get(old) || {};
    const names = new Set([...Object.keys(served), ...next.getAttributeNames()]);
    for (const name of names) {
      const value = next.hasAttribute(name) ? previewMorph.absolute(name, next.getAttribute(name)) : null;
      if (value === (served[name] ?? null)) continue;
      if (value === null) old.removeAttribute(name);
      else old.setAttribute(name, value);
    }
    previewMorph.served.set(old, Object.fromEntries(next.getAttributeNames().map(name =>
      [name, previewMorph.absolute(name, next.getAttribute(name))])));
  },

  changeChildren(old, next) {
    if (previewMorph.untagged.delete(old)) for (const child of old.childNodes) previewMorph.tag(child);
    const served = new Map();
    const scripted = new Map();
    for (const node of old.childNodes) {
      const nodes = previewMorph.served.has(node) ? served : scripted;
      const key = previewMorph.key(node);
      nodes.set(key, [...nodes.get(key) || [], node]);
    }
    // Scripts replace some elements by copies.
    const kept = [...next.childNodes].map(node => {
      const key = previewMorph.key(node);
      return served.get(key)?.shift() || node.nodeType === Node.ELEMENT_NODE && scripted.get(key)?.shift();
    });
    // The server sends the viewer in a script, and not in the pages.
    for (const node of [...served.values()].flat()) if (node !== viewer?.dialog) node.remove();

    const staying = new Set(kept);
    let place = old.firstChild;
    for (const [number, node] of [...next.childNodes].entries()) {
      // Elements of scripts, such as the results of a search, stay where they are.
      while (place && !staying.has(place)) place = place.nextSibling;
      const known = kept[number];
      if (!known) previewMorph.insert(old, node, place);
      else if (known === place) place = place.nextSibling;
      else previewMorph.move(old, known, place);
      if (!known) continue;
      if (node.nodeType === Node.ELEMENT_NODE) previewMorph.isWaiting(known, node) || previewMorph.change(known, node);
      else if (known.nodeValue !== node.nodeValue) known.nodeValue = node.nodeValue;
    }
  },

  /** Whether an element shows a picture of a photo whose new picture is being made. It stays until that one arrives. */
  isWaiting(old, next) {
    return !!next.dataset.page && next.matches('.missing:not([data-state="failed"])')
      && !!old.querySelector('.picture img');
  },

  /** What an element has in common with its newer version. Photos have identifiers. */
  key({ nodeName, id, classList, dataset }) {
    return id ? '#' + id : [nodeName, classList?.[0], dataset?.state && dataset.page].join(' ');
  },

  insert(parent, node, place) {
    const copy = document.importNode(node, true);
    for (const element of [copy, ...copy.querySelectorAll?.('[src], [srcset], [href]') || []]) {
      for (const { name, value } of [...element.attributes || []]) {
        const absolute = previewMorph.absolute(name, value);
        if (absolute !== value) element.setAttribute(name, absolute);
      }
    }
    previewMorph.tag(copy);
    parent.insertBefore(copy, place);
  },

  /** A move keeps the focus and the scroll position where browsers support that. */
  move(parent, node, place) {
    if (parent.moveBefore) parent.moveBefore(node, place);
    else parent.insertBefore(node, place);
  },
};
