// The index of all photos of the site: which of them match a query, and in which order.

class SearchIndex {
  /** @param records those of all photos, in the order of the list */
  constructor(records) {
    this.records = records;
    this.albums = records.map(record => record.album?.join(' / '));
    this.texts = records.map(({ name, caption, tags, credit }, number) =>
      this.normalized([name, caption, credit, this.albums[number], ...(tags || [])].join('\n')));
    this.collator = new Intl.Collator(lang, { numeric: true });
  }

  /** The text without accents and capitals. */
  normalized(text) { return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(); }

  /** The values to choose from in a menu, each once. */
  choices(name) {
    const values = name === 'album' ? this.albums : this.records.flatMap(record => record.tags);
    return [...new Set(values)].filter(Boolean).sort(this.collator.compare);
  }

  /** @param query the values by the names of the fields, as in the address */
  matching({ q, state, album, tag, rating, sort }) {
    const words = q ? this.normalized(q).split(/\s+/) : [];
    const found = this.records.filter((record, number) =>
      words.every(word => this.texts[number].includes(word))
      && (!state || record.state === state || (state === 'stale' && record.stale))
      && (!album || (this.albums[number] + ' / ').startsWith(album + ' / '))
      && (!tag || record.tags?.includes(tag))
      && (!rating || ratings.vote(record) === rating || record.rating >= rating));

    const { compare } = this.collator;
    // Photos without a date or rating come last. Sorting is stable: equals keep the order of the list.
    const order = {
      name: (a, b) => compare(a.name, b.name),
      date: (a, b) => compare(a.sortDate || 'zz', b.sortDate || 'zz'),
      rating: (a, b) => ratings.weight(b) - ratings.weight(a),
    }[sort];
    return order ? found.sort(order) : found;
  }

  /** The photos of a scope of the viewer: those that a query finds, those directly in an album, or all. */
  within({ query, album }) {
    if (query) return this.matching(SearchIndex.parse(query));
    return album ? this.records.filter((_, number) => this.albums[number] === album) : this.records;
  }

  /** @param query the part of the address that begins with "?" */
  static parse(query) { return Object.fromEntries(new URLSearchParams(query)); }
}
