// The words below the photo in the viewer, and the panel with its metadata.

class InformationPanel {
  constructor(dialog) { Object.assign(this, { dialog, panel: dialog.querySelector('.information') }); }

  /** @returns whether the panel is open now */
  toggle() {
    this.panel.hidden = !this.panel.hidden;
    this.fill();
    return !this.panel.hidden;
  }

  show(record) {
    this.record = record;
    // New elements are created, because browsers count it as a layout shift if existing words move up.
    const words = this.dialog.querySelector('.words');
    words.replaceWith(words.cloneNode(true));
    this.fill();
    // A custom template may lack the mark.
    const mark = this.dialog.querySelector('.words .state');
    if (mark) mark.dataset.state = photos.shownState(record);
    this.link('page', photos.address(record.page));
    const largest = record.images?.at(-1);
    this.link('picture', largest && photos.address(largest[2]));
  }

  /** Fills the fields, except those of a closed panel, because browsers take long to format their first number. */
  fill() {
    const { dialog, panel, record } = this;
    const largest = record.images?.at(-1);
    const values = {
      ...record,
      shownState: photos.shownState(record),
      tags: record.tags?.join(', '),
      album: record.album?.join(' / '),
      size: record.size?.join(' × '),
      picture: !panel.hidden && largest
        && `${largest[0]} × ${largest[1]}, ${InformationPanel.formatBytes(largest[3])}`,
    };
    panel.dataset.state = record.state;
    const filled = panel.hidden ? '[data-field]:not(.information *)' : '[data-field]';
    for (const field of dialog.querySelectorAll(filled)) {
      const value = values[field.dataset.field];
      // The record has the identifier of the state, and the attribute of that name has the word for it.
      field.textContent = field.dataset[value] || value || '';
      (field.closest('dl > div') || field).hidden = !value;
    }
  }

  link(name, address) {
    const link = this.dialog.querySelector(`[data-link=${name}]`);
    link.hidden = !address;
    if (address) link.href = address;
  }

  static formatBytes(count) {
    const format = { style: 'unit', unit: 'megabyte', maximumSignificantDigits: 2, numberingSystem: 'latn' };
    return (count / 1e6).toLocaleString(lang, format);
  }
}
