// The viewer's panel with the photo's metadata.

class InformationPanel {
  constructor(panel) {
    this.panel = panel;
    panel.querySelector('[data-action=copy]').hidden = !navigator.clipboard;
  }

  /** @returns whether the panel is open now */
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
      picture: largest && `${largest[0]} × ${largest[1]}, ${InformationPanel.formatBytes(largest[3])}`,
    };

    for (const field of this.panel.querySelectorAll('[data-field]')) {
      const value = values[field.dataset.field];
      // The record holds the state's identifier; the field's attribute of that name holds the word for it.
      field.textContent = field.dataset[value] || value || '';
      (field.closest('dl > div') || field).hidden = !value;
    }

    this.panel.dataset.state = record.state;
    this.link('page', photos.address(record.page));
    this.link('picture', largest && photos.address(largest[2]));
    const copy = this.panel.querySelector('[data-action=copy]');
    copy.textContent = copy.dataset.label ??= copy.textContent;
  }

  link(name, address) {
    const link = this.panel.querySelector(`[data-link=${name}]`);
    link.hidden = !address;
    if (address) link.href = address;
  }

  static formatBytes(count) {
    const format = { style: 'unit', unit: 'megabyte', maximumSignificantDigits: 2, numberingSystem: 'latn' };
    return (count / 1e6).toLocaleString(lang, format);
  }
}
