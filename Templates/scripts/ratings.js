// Votes (thumb up or thumb down), which are stored on this device, separately for each gallery.

const ratings = {
  key: 'ratings ' + photos.root.pathname,

  /** The votes by the path of the photo's page: "up", "down", or '' for a vote that was taken back. */
  get votes() { return this.current ??= this.stored || {}; },

  /** The stored votes; undefined if there are none, or if the stored value is something else. */
  get stored() {
    const stored = preferences.get(this.key);
    return stored?.constructor === Object ? stored : undefined;
  },

  /** The vote of this device, or else the one that was published with the site. */
  vote({ page, vote }) { return this.votes[page] ?? vote; },

  /** The record of an element's photo, with the fields for votes. */
  record({ dataset: { page, voted } }) { return { page, vote: voted }; },

  /** The key by which photos are sorted: first by rating, and for equal ratings by vote. */
  weight(record) { return (record.rating || -1) * 4 + ({ up: 1, down: -1 }[this.vote(record)] || 0); },

  /** Sets the photo's vote, or takes it back if the photo has the same vote already. */
  toggle(record, vote) {
    this.change({ [record.page]: this.vote(record) === vote ? '' : vote });
  },

  /** Adds votes to the stored ones, which other pages of the gallery may have changed. */
  change(votes) {
    this.current = { ...this.stored || this.votes, ...votes };
    preferences.set(this.key, this.current);
    this.mark();
  },

  /** Shows the votes that another page has stored. */
  reload() {
    this.current = this.stored || this.current;
    this.mark();
    viewer?.markVote();
  },

  /** Shows the votes on all photos of the page, or of one part of it. */
  mark(part = document) {
    for (const element of part.querySelectorAll('[data-page]')) this.markPhoto(element);
  },

  /** @param element the element of a photo */
  markPhoto(element) {
    const vote = this.vote(this.record(element));
    if (vote) element.dataset.voted = vote;
    else delete element.dataset.voted;
    this.markButtons(element, vote);
  },

  markButtons(container, vote) {
    for (const button of container.querySelectorAll('[data-vote]')) button.ariaPressed = button.dataset.vote === vote;
  },

  export() {
    const list = Object.entries(this.votes).filter(([, vote]) => vote).map(([page, thumb]) => ({ page, thumb }));
    const href = URL.createObjectURL(new Blob([JSON.stringify({ schema: 1, ratings: list }, null, 1)]));
    Object.assign(document.createElement('a'), { download: 'ratings.json', href }).click();
    // The address is revoked late, because some browsers start to read the file after this function has returned.
    setTimeout(() => URL.revokeObjectURL(href), 60000);
  },

  /** Merges the ratings of a file into those of the device, which they replace. @returns the number in the file */
  async import(file) {
    const { schema, ratings: list } = JSON.parse(await file.text());
    if (schema !== 1) throw 0;
    const valid = list.filter(({ page, thumb }) => /^photo\/.*html$/.test(page) && /^(up|down)$/.test(thumb));
    this.change(Object.fromEntries(valid.map(({ page, thumb }) => [page, thumb])));
    return valid.length;
  },

  /** @param element the element with the controls for export and import */
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
