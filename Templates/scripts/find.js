// Search, filters and order, over all photos of the site and not only this page's. The address says what is looked for.
'use strict';

class Find {
  /** Cards that are shown before "more" is asked for by scrolling. */
  static share = 60;
  /** A card without its photo: what the template "card" makes, without words. */
  static blank = '<li class="card"><figure><div class="print"><img loading="lazy" decoding="async" '
    + 'sizes="(max-width: 36rem) 45vw, 20rem"></div><figcaption><h2><a data-view><bdi></bdi></a></h2>'
    + '<p><span class="state"></span></p><p class="why"></p></figcaption></figure></li>';
  shown = [];

  constructor(form) {
    this.form = form;
    this.page = document.querySelector('.photos');
    this.pager = document.querySelector('.pager');
    this.found = form.querySelector('.found');
    const template = document.createElement('template');
    template.innerHTML = Find.blank;
    this.blank = template.content.firstElementChild;
    this.results = document.createElement('ul');
    this.results.className = 'photos results';
    this.results.hidden = true;
    (this.page || document.querySelector('.empty')).after(this.results);
    this.end = document.createElement('div');
    this.results.after(this.end);
    new IntersectionObserver(([entry]) => entry.isIntersecting && this.more()).observe(this.end);
    form.addEventListener('submit', event => event.preventDefault());
    form.addEventListener('input', () => this.run(true));
    form.addEventListener('focusin', () => this.fill(), { once: true });
  }

  fields() { return [...this.form.elements].filter(field => field.name); }

  /** Sets the fields to what the address asks for. */
  async restore() {
    const wanted = new URLSearchParams(location.search);
    if (!this.fields().some(field => wanted.get(field.name))) return;
    await this.fill();
    for (const field of this.fields()) field.value = wanted.get(field.name) || '';
    this.run(false);
  }

  /** Loads all photos, and gives the choices their albums and tags. */
  async fill() {
    if (this.all) return;
    const all = await photos.all().catch(() => null);
    if (!all) this.found.textContent = this.form.dataset.trouble;
    if (!all || this.all) return;
    this.all = all;
    const plain = text => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    this.plain = plain;
    this.texts = all.map(({ name, caption, tags, album, credit }) =>
      plain([name, caption, credit, ...(tags || []), ...(album || [])].join('\n')));
    const albums = all.map(record => record.album?.join(' / '));
    this.albums = albums;
    this.choices('album', albums.filter(Boolean));
    this.choices('tag', all.flatMap(record => record.tags || []));
  }

  choices(name, values) {
    const { lang } = document.documentElement;
    for (const value of [...new Set(values)].sort(new Intl.Collator(lang).compare)) {
      this.form.elements[name]?.append(new Option(value, value));
    }
  }

  async run(isTyped) {
    await this.fill();
    if (!this.all) return;
    const wanted = {};
    for (const { name, value } of this.fields()) if (value.trim()) wanted[name] = value.trim();
    if (isTyped) {
      const query = new URLSearchParams(wanted).toString();
      history.replaceState(history.state, '', location.pathname + (query && '?' + query));
    }
    const isLooking = Object.keys(wanted).length > 0;
    if (this.page) this.page.hidden = isLooking;
    if (this.pager) this.pager.hidden = isLooking;
    this.results.hidden = !isLooking;
    this.results.replaceChildren();
    this.shown = isLooking ? this.matching(wanted) : [];
    photos.shown = isLooking ? this.shown : null;
    this.more();
    this.found.textContent = isLooking ? counted(this.form.dataset.found, this.shown.length) : '';
  }

  matching({ q, state, album, tag, thumb, sort }) {
    const words = q ? this.plain(q).split(/\s+/) : [];
    const matches = (record, number) =>
      words.every(word => this.texts[number].includes(word))
      && (!state || record.state === state || (state === 'stale' && record.stale))
      && (!album || this.albums[number] === album || this.albums[number]?.startsWith(album + ' / '))
      && (!thumb || ratings.of(record) === thumb)
      && (!tag || record.tags?.includes(tag));
    const found = this.all.filter(matches);
    const { compare } = new Intl.Collator(document.documentElement.lang, { numeric: true });
    // What has no date or rating comes last; sorting keeps the order of the list otherwise.
    const orders = {
      name: (a, b) => compare(a.name, b.name),
      date: (a, b) => (a.order ? 0 : 1) - (b.order ? 0 : 1) || (a.order < b.order ? -1 : a.order > b.order ? 1 : 0),
      rating: (a, b) => (b.rating ?? -1) - (a.rating ?? -1),
    };
    return orders[sort] ? found.sort(orders[sort]) : found;
  }

  more() {
    const { length } = this.results.children;
    this.results.append(...this.shown.slice(length, length + Find.share).map(record => this.card(record)));
    ratings.mark();
  }

  card(record) {
    const card = this.blank.cloneNode(true);
    const find = selector => card.querySelector(selector);
    card.dataset.photo = JSON.stringify(record);
    card.dataset.state = record.state;
    find('a').href = photos.address(record.page);
    find('bdi').textContent = record.name;
    find('.state').dataset.state = record.state;
    find('.state').textContent = this.form.elements.state.querySelector(`[value=${record.state}]`).textContent;
    find('.why').textContent = record.reason || record.stale || '';
    const image = find('img');
    const [width, height] = record.images?.at(-1) || record.size || [3, 2];
    const ratio = width / height;
    find('.print').classList.add(ratio < .9 ? 'tall' : ratio < 1.2 ? 'square' : ratio < 1.65 ? 'wide' : 'panorama');
    if (record.images) {
      Object.assign(image, { width, height, alt: record.alt || record.name });
      image.srcset = record.images.map(([width, , path]) => `${photos.address(path)} ${width}w`).join(', ');
      image.src = photos.address(photos.image(record, 600)[2]);
    } else {
      image.remove();
      find('.print').classList.add('blank');
    }
    return card;
  }
}
