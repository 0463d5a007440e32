// Thumbs up and down, kept on this device, for each gallery apart.
'use strict';

const ratings = {
  key: 'ratings ' + photos.root.pathname,

  /** By the photo's page: "up", "down", or "" where the thumb that the site gives is taken back. */
  get thumbs() { return this.kept ??= memory.get(this.key) || {}; },

  of(record) { return this.thumbs[record.page] ?? record.thumb; },

  /** Gives a thumb, or takes the same one back. */
  toggle(record, thumb) {
    this.thumbs[record.page] = this.of(record) === thumb ? '' : thumb;
    this.save();
  },

  save() {
    memory.set(this.key, this.thumbs);
    this.mark();
  },

  mark() {
    for (const card of document.querySelectorAll('[data-photo]')) {
      const thumb = this.of(JSON.parse(card.dataset.photo));
      if (thumb) card.dataset.thumb = thumb;
      else delete card.dataset.thumb;
    }
  },

  export() {
    const list = Object.entries(this.thumbs).filter(([, thumb]) => thumb).map(([page, thumb]) => ({ page, thumb }));
    const link = document.createElement('a');
    link.download = 'ratings.json';
    link.href = URL.createObjectURL(new Blob([JSON.stringify({ schema: 1, ratings: list }, null, 1)]));
    link.click();
    URL.revokeObjectURL(link.href);
  },

  /** Adds the ratings of a file to those there are; where both know a photo, the file's counts. @returns how many */
  async import(file) {
    const { schema, ratings: list } = JSON.parse(await file.text());
    if (schema !== 1) throw new Error('not of schema 1');
    const good = list.filter(({ page, thumb }) => typeof page === 'string' && /^(up|down)$/.test(thumb));
    for (const { page, thumb } of good) this.thumbs[page] = thumb;
    this.save();
    return good.length;
  },

  /** @param form the search, whose buttons export and import */
  start(form) {
    this.mark();
    const { dataset } = form;
    form.querySelector('[data-ratings]').addEventListener('click', () => this.export());
    form.querySelector('[type=file]').addEventListener('change', async ({ target }) => {
      const count = await this.import(target.files[0]).catch(() => null);
      target.value = '';
      form.querySelector('.found').textContent = count === null ? dataset.unreadable : counted(dataset.imported, count);
    });
  },
};
