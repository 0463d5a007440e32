// Votes (thumb up or thumb down), kept on this device, for each gallery apart.

const ratings = {
  key: 'ratings ' + photos.root.pathname,

  /** By the path of the photo's page: "up" or "down", or '' for a vote that was taken back. */
  get votes() { return this.stored ??= preferences.get(this.key) || {}; },

  /** This device's vote, else the one that was published with the site. */
  vote({ page, vote }) { return this.votes[page] ?? vote; },

  /** What an element says of its photo. */
  record({ dataset: { page, voted } }) { return { page, vote: voted }; },

  /** The number that photos are sorted by: the list's rating counts, and a vote decides between equals. */
  weight(record) { return (record.rating || -1) * 4 + ({ up: 1, down: -1 }[this.vote(record)] || 0); },

  /** Sets the photo's vote, or takes it back if it is the same. */
  toggle(record, vote) {
    this.votes[record.page] = this.vote(record) === vote ? '' : vote;
    this.save();
  },

  save() {
    preferences.set(this.key, this.votes);
    this.mark();
  },

  /** Shows the votes on all photos of the page. */
  mark() {
    for (const element of document.querySelectorAll('[data-page]')) {
      const vote = this.vote(this.record(element));
      if (vote) element.dataset.voted = vote;
      else delete element.dataset.voted;
      this.markButtons(element, vote);
    }
  },

  markButtons(container, vote) {
    for (const button of container.querySelectorAll('[data-vote]')) button.ariaPressed = button.dataset.vote === vote;
  },

  export() {
    const list = Object.entries(this.votes).filter(([, vote]) => vote).map(([page, thumb]) => ({ page, thumb }));
    const href = URL.createObjectURL(new Blob([JSON.stringify({ schema: 1, ratings: list }, null, 1)]));
    Object.assign(document.createElement('a'), { download: 'ratings.json', href }).click();
    // The address is revoked late: some browsers begin to read the file after this function has returned.
    setTimeout(() => URL.revokeObjectURL(href), 60000);
  },

  /** Merges the ratings of a file into those of the device; the file's win. @returns how many the file has */
  async import(file) {
    const { schema, ratings: list } = JSON.parse(await file.text());
    if (schema !== 1) throw 0;
    const valid = list.filter(({ page, thumb }) => /^photo\/.*html$/.test(page) && /^(up|down)$/.test(thumb));
    for (const { page, thumb } of valid) this.votes[page] = thumb;
    this.save();
    return valid.length;
  },

  /** @param element the one that has the controls for export and import */
  attach(element) {
    const { dataset } = element;
    element.querySelector('[data-export-ratings]').onclick = () => this.export();
    element.querySelector('[type=file]').onchange = async ({ target }) => {
      const count = await this.import(target.files[0]).catch(() => null);
      target.value = '';
      element.querySelector('[role=status]').textContent =
        count === null ? dataset.importError : formatCount(dataset.imported, count);
    };
  },
};
