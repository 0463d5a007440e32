// What is known of a photo, beside it in the viewer.

class Facts {
  constructor(panel) {
    this.panel = panel;
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
      tags: record.tags?.join(', '),
      album: record.album?.join(' / '),
      size: record.size?.join(' × '),
      picture: largest && `${largest[0]} × ${largest[1]}, ${Facts.bytes(largest[3])}`,
    };
    for (const place of this.panel.querySelectorAll('[data-fact]')) {
      const value = values[place.dataset.fact];
      // A state is known by its name, and told in the words of the page.
      place.textContent = place.dataset[value] || value || '';
      (place.closest('dl > div') || place).hidden = !value;
    }
    this.panel.dataset.state = record.state;
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
    const format = { style: 'unit', unit: 'megabyte', maximumSignificantDigits: 2, numberingSystem: 'latn' };
    return (count / 1e6).toLocaleString(lang, format);
  }
}
