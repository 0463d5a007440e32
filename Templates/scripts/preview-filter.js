// The field in which filters are tried. The server answers with the filter that is valid then, or why it refuses one.

class PreviewFilter {
  /** Where the history of filters is stored, so that it survives a reload. */
  static key = 'gallerygen.preview-filters';

  /**
   * @param panel the panel with the field
   * @param send  sends a message, and returns whether it could be sent
   */
  constructor(panel, send) {
    Object.assign(this, { panel, send, input: panel.find('#chain'), refusal: panel.find('.refusal') });
    const stored = JSON.parse(sessionStorage.getItem(PreviewFilter.key) || '{}');
    /** The filters before the current one, and the one in gallerygen.yaml if it is known. */
    Object.assign(this, { earlier: stored.earlier || [], saved: stored.saved });
    panel.find('form').onsubmit = () => {
      this.try(this.input.value.trim() || 'none');
      return false;
    };
    panel.find('.back').onclick = () => this.goBack();
    panel.find('.save').onclick = () => this.save();
    this.input.oninput = () => this.hideRefusal();
    this.input.addEventListener('reset', () => this.reset());
    this.update();
  }

  /** Shows the filter that was valid when the page connected. @param saved the one in gallerygen.yaml, if known */
  begin(chain, saved) {
    this.saved = saved ?? this.saved ?? chain;
    if (this.shown !== undefined && chain !== this.shown) return this.show(chain);
    if (this.shown === undefined) this.input.value ||= chain;
    this.shown = chain;
    this.update();
  }

  try(chain) {
    if (!this.send({ type: 'filter', chain })) return this.panel.announce('There is no connection.');
    this.tried = { chain, text: this.input.value };
    this.hideRefusal();
  }

  /** Shows the filter that the photos have now. */
  show(chain) {
    if (chain === this.returning) this.earlier.pop();
    else if (chain !== this.shown && this.shown !== undefined) this.earlier.push(this.shown);
    this.returning = null;
    this.shown = chain;
    // The visitor may have written on since.
    if (this.input.value === this.tried?.text || this.panel.root.activeElement !== this.input) this.input.value = chain;
    this.tried = null;
    this.hideRefusal();
    this.panel.announce(`Filter: ${chain}`);
    this.update();
  }

  refuse(message, column) {
    const { chain } = this.tried || { chain: this.input.value };
    this.returning = null;
    this.refusal.hidden = false;
    this.input.ariaInvalid = 'true';
    this.refusal.querySelector('pre').textContent = column ? `${chain}\n${' '.repeat(column - 1)}^` : chain;
    // The message begins with the filter and the column, which are shown already.
    const words = column ? `Column ${column}: ` + message.split(`column ${column}: `).at(-1) : message;
    this.refusal.querySelector('p').textContent = words;
    if (this.panel.isFolded) this.panel.fold(false);
    if (this.panel.root.activeElement === this.input && column) this.input.setSelectionRange(column - 1, column - 1);
  }

  hideRefusal() {
    this.refusal.hidden = true;
    this.input.ariaInvalid = 'false';
  }

  goBack() {
    if (this.isDisabled('.back')) return;
    this.returning = this.earlier.at(-1);
    this.try(this.returning);
  }

  save() { if (!this.isDisabled('.save')) this.send({ type: 'save-filter', chain: this.shown }); }

  showSaved(file) {
    this.saved = this.shown;
    this.panel.announce(`Saved in ${file}.`);
    this.update();
  }

  /** Sets the field back to the filter that the photos have. */
  reset() {
    this.input.value = this.shown ?? '';
    this.hideRefusal();
    this.update();
  }

  isDisabled(button) { return this.panel.find(button).ariaDisabled === 'true'; }

  /** Updates the buttons. They are not `disabled`, because a disabled button would lose the focus. */
  update() {
    this.panel.find('.back').ariaDisabled = !this.earlier.length;
    this.panel.find('.save').ariaDisabled = this.shown === this.saved;
    this.panel.find('.back').title = this.earlier.length ? `Back to ${this.earlier.at(-1)}` : '';
    const { earlier, saved } = this;
    sessionStorage.setItem(PreviewFilter.key, JSON.stringify({ earlier: earlier.slice(-50), saved }));
  }
}
