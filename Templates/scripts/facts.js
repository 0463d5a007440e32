// What is known of a photo, beside it in the viewer.
'use strict';

class Facts {
  /** @param words for the states, by their names */
  constructor(panel, words) {
    Object.assign(this, { panel, words });
    panel.querySelector('[data-do=copy]').hidden = !navigator.clipboard;
  }

  /** @returns whether it is open now */
  toggle() {
    this.panel.hidden = !this.panel.hidden;
    return !this.panel.hidden;
  }

  show(record) {
    const largest = record.images?.at(-1);
    const values = {
      ...record,
      state: this.words[record.state],
      tags: record.tags?.join(', '),
      album: record.album?.join(' / '),
      size: record.size?.join(' × '),
      picture: largest && `${largest[0]} × ${largest[1]}, ${Facts.bytes(largest[3])}`,
    };
    for (const place of this.panel.querySelectorAll('[data-fact]')) {
      const value = values[place.dataset.fact];
      place.textContent = value || '';
      (place.closest('dl > div') || place).hidden = !value;
    }
    const filter = this.panel.querySelector('.filtered');
    if (filter) filter.hidden = record.state !== 'filtered';
    this.way('page', photos.address(record.page));
    this.way('picture', largest && photos.address(largest[2]));
    const copy = this.panel.querySelector('[data-do=copy]');
    copy.textContent = copy.dataset.label ??= copy.textContent;
  }

  way(name, address) {
    const link = this.panel.querySelector(`[data-way=${name}]`);
    link.hidden = !address;
    if (address) link.href = address;
  }

  static bytes(count) {
    const unit = count < 1e6 ? 'kilobyte' : 'megabyte';
    const format = { style: 'unit', unit, maximumFractionDigits: count < 1e6 ? 0 : 1 };
    return new Intl.NumberFormat(lang, format).format(count / (count < 1e6 ? 1e3 : 1e6));
  }
}
