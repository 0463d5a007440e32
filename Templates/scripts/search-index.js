// The search. It finds the numbers of the photos that match a query, and sorts them.

class SearchIndex {
  /** @param list a text for each kind of value, with one line for each photo; empty if no photo has such a value */
  constructor(list) {
    for (const kind in list) this[kind] = list[kind].split('\n');
    const { name, caption, credit, album, tags } = this;
    const texts = name.map((_, n) => [name, caption, credit, album, tags].map(values => values[n]).join('\t'));
    // All texts are normalised in one call, because a call for each photo would take ten times as long.
    this.texts = this.normalized(texts.join('\n')).split('\n');
    this.collator = new Intl.Collator(lang, { numeric: true });
    this.orders = {};
  }

  /** What people type instead of letters that Unicode does not decompose: ß, æ, œ, ø, ł, đ, ð, þ, ħ, ı. They are
   *  escaped, so that the script runs whatever encoding the page is read with. */
  static plain = {
    '\xdf': 'ss', '\xe6': 'ae', '\u0153': 'oe', '\xf8': 'o', '\u0142': 'l', '\u0111': 'd', '\xf0': 'd', '\xfe': 'th',
    '\u0127': 'h', '\u0131': 'i',
  };
  static undecomposed = new RegExp(`[${Object.keys(this.plain).join('')}]`, 'g');

  /** The text in lower case and without accents. */
  normalized(text) {
    return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
      .replace(SearchIndex.undecomposed, letter => SearchIndex.plain[letter]);
  }

  /** The paths of the photos' pages. The list omits slugs that can be derived from the name. */
  get pages() {
    return this.allPages ??= this.name.map((name, n) =>
      `photo/${this.slug[n] || name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.html`);
  }

  /** The different values, for a menu. */
  choices(name) {
    const values = name === 'album' ? this.album : this.tags.flatMap(tags => tags.split('\t'));
    return [...new Set(values)].filter(Boolean).sort(this.collator.compare);
  }

  /** All photos in the requested order. Those without a date or rating are last. The sort is stable. */
  ordered(sort) {
    const numbers = [...this.name.keys()];
    const { compare } = this.collator;
    if (sort === 'rating') {
      const weights = numbers.map(n => ratings.weight(this.rated(n)));
      return numbers.sort((a, b) => weights[b] - weights[a]);
    }
    const values = this[sort];
    if (!values) return numbers;
    return this.orders[sort] ??= numbers.sort((a, b) => compare(values[a] || 'zz', values[b] || 'zz'));
  }

  rated(n) { return { page: this.pages[n], rating: this.rating[n], vote: this.vote[n] }; }

  /** @param query the values by the names of the fields, as they are in the address */
  matching({ q, state, album, tag, rating, sort }) {
    const words = q ? this.normalized(q).split(/\s+/) : [];
    return this.ordered(sort).filter(n =>
      words.every(word => this.texts[n].includes(word))
      && (!state || this.state[n].includes(state))
      && (!album || (this.album[n] + ' / ').startsWith(album + ' / '))
      && (!tag || this.tags[n]?.split('\t').includes(tag))
      && (!rating || ratings.vote(this.rated(n)) === rating || this.rating[n] >= rating));
  }

  /** @param query the part of the address that begins with "?" */
  static parse(query) { return Object.fromEntries(new URLSearchParams(query)); }
}
