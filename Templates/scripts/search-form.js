// The search form and its results. Search, filters and order apply to all photos of the site, and not only to those of
// this page. The query is in the address.

class SearchForm {
  /**
   * The number of cards that are added each time the end of the results becomes visible. The layout of more cards would
   * delay the response to a key press.
   */
  static batchSize = 12;

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
    this.results.dataset.first = 1;
    this.end = document.createElement('div');
    this.page.after(this.results, this.end);
    this.observer = new IntersectionObserver(entries => {
      // A busy browser reports several changes at once, the latest one last.
      if (entries.at(-1).isIntersecting) this.show(this.results.children.length);
    });

    form.onsubmit = () => false;
    form.oninput = ({ target }) => target.name && this.run(true);
    form.onreset = () => setTimeout(() => this.run(true));
    form.addEventListener('focusin', () => this.load(), { once: true });
    addEventListener('found', () => this.showAgain());
    this.closeMenuFromOutside();
  }

  /** Closes the menu of filters at Escape, at a click elsewhere, and when the focus leaves it. */
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

  /** Sets the fields to the query of the address, and searches. */
  async restore() {
    const query = SearchIndex.parse(location.search);
    if (!this.fields().some(field => query[field.name])) return;
    await this.load();
    for (const field of this.fields()) field.value = query[field.name] || '';
    await this.run();
  }

  /** Loads the list for the search, and adds albums and tags to their menus. */
  async load() {
    const index = await photos.retrying(() => photos.search()).catch(() => this.fail());
    if (index && !this.isFilled) {
      this.isFilled = true;
      for (const name of ['album', 'tag']) {
        this.form.elements[name]?.append(...index.choices(name).map(value => new Option(value, value)));
      }
      // The first call takes much longer than the others, so it is made before the first key press.
      formatCount(this.form.dataset.found, 1);
    }
    return index;
  }

  fail() { this.status.textContent = this.form.dataset.error; }

  async run(isTyped) {
    const index = await this.load();
    if (!index) return;

    const query = {};
    for (const { name, value } of this.fields()) if (value.trim()) query[name] = value.trim();
    const text = new URLSearchParams(query).toString();
    const { q, ...filters } = query;
    const active = Object.keys(filters).length;
    const { dataset } = this.filters.querySelector('summary');
    if (active) dataset.active = active;
    else delete dataset.active;

    const found = text ? index.matching(query) : null;
    Object.assign(photos, { query: found && query, found });
    this.announce();
    if (isTyped) {
      await SearchForm.isPainted();
      if (found !== photos.found) return;
      history.replaceState(history.state, '', location.pathname + (text && '?' + text));
    }
    await this.show(0);
  }

  /** Resolves after the next paint, so that the number of results is visible before their cards are made. */
  static isPainted() { return new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))); }

  announce() {
    const count = photos.found?.length;
    this.status.textContent = photos.found ? formatCount(this.form.dataset.found, count) : '';
    this.status.classList.toggle('empty', count === 0);
  }

  /** Shows the results from the latest publication, with as many cards as before. */
  showAgain() {
    this.announce();
    this.show(0, Math.max(SearchForm.batchSize, this.results.children.length));
  }

  /** Shows the next cards of the results. The first ones replace those of the page or of an earlier search. */
  async show(first, count = SearchForm.batchSize) {
    const { found } = photos;
    const batch = found?.slice(first, first + count) || [];
    // Between two key presses, no records are loaded for the intermediate results.
    if (batch.some(number => !photos.records[number])) await new Promise(resolve => setTimeout(resolve, 100));
    if (found !== photos.found) return;
    const load = () => found === photos.found && photos.fetch(batch);
    if (await photos.retrying(load).catch(error => error)) return this.fail();
    if (found !== photos.found || (first && first !== this.results.children.length)) return;

    const cards = batch.map(number => this.card(photos.records[number]));
    if (first) this.results.append(...cards);
    else this.results.replaceChildren(...cards);
    this.page.hidden = !!found;
    if (this.pager) this.pager.hidden = !!found;
    this.results.hidden = !found;
    ratings.mark(this.results);
    // Observing the end again reports it again if it is still visible.
    this.observer.disconnect();
    if (batch.length) this.observer.observe(this.end);
  }

  card(record) {
    const card = this.template.cloneNode(true);
    const find = selector => card.querySelector(selector);
    const { state, images } = record;
    Object.assign(card.dataset, { page: record.page, voted: record.vote || '', state });
    find('a').href = photos.address(record.page);
    find('bdi').textContent = record.name;
    const label = find('.state');
    const shown = photos.shownState(record);
    label.dataset.state = shown;
    label.classList.toggle('marked', shown === record.mark);
    label.textContent = this.form.querySelector(`option[value=${shown}]`).text;
    find('.credit bdi').textContent = record.credit || '';
    find('.reason').textContent = record.reason || record.stale || record.marks || '';

    const image = find('img');
    const [width, height] = images?.at(-1) || record.size || [3, 2];
    const ratio = clamp(width / height, .5, 3.5);
    card.classList.add(ratioClass(ratio));
    if (images) {
      find('.placeholder').remove();
      const isSmall = Math.max(width, height) < 200;
      card.classList.toggle('small', isSmall);
      Object.assign(image, {
        width, height, alt: record.alt || record.name,
        // A search form of one's own may state `sizes`. The others are those of card.mustache.
        sizes: image.sizes || (isSmall ? `${width}px` : `calc(${ratio.toFixed(2)}*(4.4rem + 10.6vw))`),
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

/** The class of an aspect ratio. gallery.css has one for each step of 3 % from 0.5 to 3.5. */
function ratioClass(ratio) { return 'r' + Math.round(Math.log(ratio / .5) / Math.log(1.03)); }
