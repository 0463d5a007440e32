// Search, filters and order, over all photos of the site and not only this page's. The address says what is looked for.

class Find {
  /** Cards that are shown before "more" is asked for by scrolling. */
  static share = 60;
  shown = [];

  constructor(form) {
    this.form = form;
    this.page = document.querySelector('.photos');
    this.pager = document.querySelector('.pager');
    this.said = form.querySelector('.found');
    this.blank = form.querySelector('template').content.firstElementChild;
    this.results = document.createElement('ul');
    this.results.className = 'photos results';
    this.results.hidden = true;
    const end = document.createElement('div');
    this.page.after(this.results, end);
    new IntersectionObserver(([entry]) => entry.isIntersecting && this.more()).observe(end);
    form.onsubmit = () => false;
    form.oninput = ({ target }) => target.name && this.run(true);
    form.addEventListener('focusin', () => this.fill(), { once: true });
  }

  fields() { return [...this.form.elements].filter(field => field.name); }

  /** Sets the fields to what the address asks for. */
  async restore() {
    const wanted = Search.wanted(location.search);
    if (!this.fields().some(field => wanted[field.name])) return;
    await this.fill();
    for (const field of this.fields()) field.value = wanted[field.name] || '';
    await this.run();
  }

  /** Loads all photos, and gives the choices their albums and tags. */
  async fill() {
    if (this.search) return;
    const search = await photos.search().catch(() => null);
    if (!search) this.said.textContent = this.form.dataset.trouble;
    if (!search || this.search) return;
    this.search = search;
    for (const name of ['album', 'tag']) {
      this.form.elements[name]?.append(...search.choices(name).map(value => new Option(value, value)));
    }
  }

  async run(isTyped) {
    await this.fill();
    if (!this.search) return;
    const wanted = {};
    for (const { name, value } of this.fields()) if (value.trim()) wanted[name] = value.trim();
    const query = new URLSearchParams(wanted).toString();
    if (isTyped) history.replaceState(history.state, '', location.pathname + (query && '?' + query));
    this.page.hidden = !!query;
    if (this.pager) this.pager.hidden = !!query;
    this.results.hidden = !query;
    this.results.replaceChildren();
    photos.shown = query ? this.search.matching(wanted) : null;
    this.shown = photos.shown || [];
    this.more();
    this.said.textContent = query && counted(this.form.dataset.found, this.shown.length);
  }

  more() {
    const { length } = this.results.children;
    this.results.append(...this.shown.slice(length, length + Find.share).map(record => this.card(record)));
    ratings.mark();
  }

  card(record) {
    const card = this.blank.cloneNode(true);
    const find = selector => card.querySelector(selector);
    const { state, images } = record;
    Object.assign(card.dataset, { photo: JSON.stringify(record), state });
    find('a').href = photos.address(record.page);
    find('bdi').textContent = record.name;
    const words = find('.state');
    words.dataset.state = state;
    words.textContent = this.form.querySelector(`option[value=${state}]`).text;
    find('.why').textContent = record.reason || record.stale || '';
    const image = find('img');
    const [width, height] = images?.at(-1) || record.size || [3, 2];
    const ratio = width / height;
    find('.print').classList.add(ratio < .9 ? 'tall' : ratio < 1.2 ? 'square' : ratio < 1.65 ? 'wide' : 'panorama');
    if (images) {
      Object.assign(image, {
        width, height, alt: record.alt || record.name,
        srcset: images.map(image => photos.source(image) + ` ${image[0]}w`).join(', '),
        src: photos.source(photos.image(record, 600)),
      });
      image.style.background = record.tone || '';
    } else {
      image.remove();
      find('.print').classList.add('blank');
    }
    return card;
  }
}
