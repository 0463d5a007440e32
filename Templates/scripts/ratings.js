// Thumbs up and down, kept on this device, for each gallery apart.

const ratings = {
  key: 'ratings ' + photos.root.pathname,

  /** By the photo's page: "up" or "down", or nothing for one that was taken back. */
  get thumbs() { return this.kept ??= memory.get(this.key) || {}; },

  /** This device's thumb, else the one that came with the site. */
  of({ page, thumb }) { return this.thumbs[page] ?? thumb; },

  /** By which photos are put in order: what the list says counts, and a thumb decides between equals. */
  weight(record) { return (record.rating ?? -1) * 4 + ({ up: 1, down: -1 }[this.of(record)] || 0); },

  /** Gives a thumb, or takes the same one back. */
  toggle(record, thumb) {
    this.thumbs[record.page] = this.of(record) === thumb ? '' : thumb;
    this.save();
  },

  save() {
    memory.set(this.key, this.thumbs);
    this.mark();
  },

  /** Shows the thumbs of the photos on the page, and presses their buttons. */
  mark() {
    for (const card of document.querySelectorAll('[data-photo]')) {
      const thumb = this.of(JSON.parse(card.dataset.photo));
      if (thumb) card.dataset.thumb = thumb;
      else delete card.dataset.thumb;
      this.press(card, thumb);
    }
  },

  press(place, thumb) {
    for (const button of place.querySelectorAll('[data-give]')) button.ariaPressed = button.dataset.give === thumb;
  },

  export() {
    const list = Object.entries(this.thumbs).filter(([, thumb]) => thumb).map(([page, thumb]) => ({ page, thumb }));
    const href = URL.createObjectURL(new Blob([JSON.stringify({ schema: 1, ratings: list }, null, 1)]));
    Object.assign(document.createElement('a'), { download: 'ratings.json', href }).click();
    // Not at once: some browsers begin to read it only then.
    setTimeout(() => URL.revokeObjectURL(href), 60000);
  },

  /** Adds the ratings of a file to those there are; where both know a photo, the file's counts. @returns how many */
  async import(file) {
    const { schema, ratings: list } = JSON.parse(await file.text());
    if (schema !== 1) throw 0;
    const good = list.filter(({ page, thumb }) => /^photo\/.*html$/.test(page) && /^(up|down)$/.test(thumb));
    for (const { page, thumb } of good) this.thumbs[page] = thumb;
    this.save();
    return good.length;
  },

  /** @param form the search, whose buttons export and import */
  start(form) {
    const { dataset } = form;
    form.querySelector('[data-ratings]').onclick = () => this.export();
    form.querySelector('[type=file]').onchange = async ({ target }) => {
      const count = await this.import(target.files[0]).catch(() => null);
      target.value = '';
      form.querySelector('.found').textContent =
        count === null ? dataset.unreadable : counted(dataset.imported, count);
    };
  },
};
