// What is looked for, and the photos that answer to it.

class Search {
  /** @param all the records of all photos, in the order of the list */
  constructor(all) {
    this.all = all;
    this.albums = all.map(record => record.album?.join(' / '));
    this.texts = all.map(({ name, caption, tags, credit }, number) =>
      this.plain([name, caption, credit, this.albums[number], ...(tags || [])].join('\n')));
    this.collator = new Intl.Collator(lang, { numeric: true });
  }

  /** Without accents and capitals. */
  plain(text) { return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(); }

  /** Values to choose from, each once. */
  choices(name) {
    const values = name === 'album' ? this.albums : this.all.flatMap(record => record.tags);
    return [...new Set(values)].filter(Boolean).sort(this.collator.compare);
  }

  /** @param wanted by the name of the field, as in the address */
  matching({ q, state, album, tag, rating, sort }) {
    const words = q ? this.plain(q).split(/\s+/) : [];
    const found = this.all.filter((record, number) =>
      words.every(word => this.texts[number].includes(word))
      && (!state || record.state === state || (state === 'stale' && record.stale))
      && (!album || (this.albums[number] + ' / ').startsWith(album + ' / '))
      && (!tag || record.tags?.includes(tag))
      && (!rating || ratings.of(record) === rating || record.rating >= rating));
    const { compare } = this.collator;
    // What has no date or rating comes last; sorting keeps the order of the list otherwise.
    const order = {
      name: (a, b) => compare(a.name, b.name),
      date: (a, b) => compare(a.order || 'zz', b.order || 'zz'),
      rating: (a, b) => ratings.weight(b) - ratings.weight(a),
    }[sort];
    return order ? found.sort(order) : found;
  }

  /** @param query the address's part with what is looked for */
  static wanted(query) { return Object.fromEntries(new URLSearchParams(query)); }
}
