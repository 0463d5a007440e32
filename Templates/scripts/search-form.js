// The search form and its results: search, filters and order, over all photos of the site and not only this page's.
// The address holds the query.

class SearchForm {
  /** The number of cards that are added each time the end of the results comes into sight. */
  static batchSize = 60;
  found = [];

  constructor(form) {
    this.form = form;
    this.page = document.querySelector('.photos');
    this.pager = document.querySelector('.pager');
    this.status = document.querySelector('.search-status');
    this.filters = form.querySelector('.filters');
    this.template = form.querySelector('template').content.firstElementChild;
    this.results = document.createElement('ul');
    this.results.className = 'photos results';
    this.results.hidden = true;
    const end = document.createElement('div');
    this.page.after(this.results, end);
    new IntersectionObserver(([entry]) => entry.isIntersecting && this.showMore()).observe(end);

    form.onsubmit = () => false;
    form.oninput = ({ target }) => target.name && this.run(true);
    form.onreset = () => setTimeout(() => this.run(true));
    form.addEventListener('focusin', () => this.load(), { once: true });
    this.closeMenuFromOutside();
  }

  /** Closes the menu of filters by Escape, by a click elsewhere, and where the focus leaves it. */
  closeMenuFromOutside() {
    const { filters } = this;
    addEventListener('click', ({ target }) => filters.contains(target) || (filters.open = false));
    filters.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget && !filters.contains(relatedTarget)) filters.open = false;
    });
    filters.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || !filters.open) return;
      event.preventDefault();
      filters.open = false;
      filters.querySelector('summary').focus();
    });
  }

  fields() { return [...this.form.elements].filter(field => field.name); }

  /** Sets the fields to the query of the address, and runs it. */
  async restore() {
    const query = SearchIndex.parse(location.search);
    if (!this.fields().some(field => query[field.name])) return;
    await this.load();
    for (const field of this.fields()) field.value = query[field.name] || '';
    await this.run();
  }

  /** Loads the index of all photos, and fills the menus of albums and tags. */
  async load() {
    if (this.index) return;
    const index = await photos.index().catch(() => null);
    if (!index) this.status.textContent = this.form.dataset.error;
    if (!index || this.index) return;
    this.index = index;
    for (const name of ['album', 'tag']) {
      this.form.elements[name]?.append(...index.choices(name).map(value => new Option(value, value)));
    }
  }

  async run(isTyped) {
    await this.load();
    if (!this.index) return;

    const query = {};
    for (const { name, value } of this.fields()) if (value.trim()) query[name] = value.trim();
    const text = new URLSearchParams(query).toString();
    if (isTyped) history.replaceState(history.state, '', location.pathname + (text && '?' + text));

    const { q, ...filters } = query;
    const active = Object.keys(filters).length;
    const { dataset } = this.filters.querySelector('summary');
    if (active) dataset.active = active;
    else delete dataset.active;

    this.page.hidden = !!text;
    if (this.pager) this.pager.hidden = !!text;
    this.results.hidden = !text;
    this.results.replaceChildren();
    photos.found = text ? this.index.matching(query) : null;
    this.found = photos.found || [];
    this.showMore();
    this.status.textContent = text && formatCount(this.form.dataset.found, this.found.length);
    this.status.classList.toggle('empty', !!text && !this.found.length);
  }

  showMore() {
    const { length } = this.results.children;
    const batch = this.found.slice(length, length + SearchForm.batchSize);
    this.results.append(...batch.map(record => this.card(record)));
    ratings.mark();
  }

  card(record) {
    const card = this.template.cloneNode(true);
    const find = selector => card.querySelector(selector);
    const { state, images } = record;
    Object.assign(card.dataset, { photo: JSON.stringify(record), state });
    find('a').href = photos.address(record.page);
    find('bdi').textContent = record.name;
    const label = find('.state');
    label.dataset.state = state;
    label.textContent = this.form.querySelector(`option[value=${state}]`).text;
    find('.credit bdi').textContent = record.credit || '';
    find('.reason').textContent = record.reason || record.stale || '';

    const image = find('img');
    const [width, height] = images?.at(-1) || record.size || [3, 2];
    card.classList.add(ratioClass(width / height));
    if (images) {
      find('.placeholder').remove();
      Object.assign(image, {
        width, height, alt: record.alt || record.name,
        srcset: images.map(image => photos.source(image) + ` ${image[0]}w`).join(', '),
        src: photos.source(photos.image(record, 600)),
      });
      image.style.background = record.placeholderColour || '';
    } else {
      image.remove();
      card.classList.add('missing');
    }
    return card;
  }
}

/** The class of an aspect ratio: gallery.css has one for each step of 3 % from 0.5 to 3.5. */
function ratioClass(ratio) { return 'r' + clamp(Math.round(Math.log(ratio / .5) / Math.log(1.03)), 0, 66); }
