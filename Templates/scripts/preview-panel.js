// The panel over the page: progress, connection, the field for the filter, and a mistake in the gallery's files.
// It is in a shadow tree, so that the style sheets of the gallery, which may be just being edited, do not apply to it.

class PreviewPanel {
  /** How long the panel shows what it announces, in milliseconds. */
  static announcement = 8000;

  static markup = `
<div class="preview-panel" dir="ltr">
<div class="mistake" role="alert"></div>
<div class="bar">
<progress aria-label="Photos done" value="0" hidden></progress>
<button type="button" class="fold" aria-expanded="false" aria-controls="tools">
<span class="mark"></span><span class="words">Preview</span>
<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 15l6-6 6 6"/></svg>
</button>
<button type="button" class="show-mistake" hidden>Show the mistake</button>
<div id="tools" class="tools" hidden>
<form class="filter">
<label for="chain">Filter</label>
<input id="chain" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go"
  aria-describedby="refusal">
<button type="submit">Try</button>
<button type="button" class="back">Back</button>
<button type="button" class="save" title="Write this filter into gallerygen.yaml">Save</button>
</form>
<div id="refusal" class="refusal" role="alert" hidden><pre aria-hidden="true"></pre><p></p></div>
</div>
<p class="status" role="status"></p>
</div>
</div>`;

  constructor() {
    this.host = document.createElement('aside');
    this.host.ariaLabel = 'Preview';
    this.host.lang = 'en';
    this.root = this.host.attachShadow({ mode: 'open' });
    this.root.innerHTML = PreviewPanel.markup;
    this.find = selector => this.root.querySelector(selector);
    this.find('.fold').onclick = () => this.fold(!this.isFolded);
    this.find('.show-mistake').onclick = () => this.showMistake(this.mistake);
    this.host.onkeydown = event => this.handleKey(event);
    const isFolded = preferences.get('preview-folded') ?? matchMedia('(max-width: 44rem)').matches;
    this.fold(isFolded);
    this.setState('connecting', 'Connecting …');
    this.addStylesheet();
  }

  /** The panel is hidden until its style sheet is loaded. */
  addStylesheet() {
    const link = document.querySelector('link[rel="stylesheet"][href*="/preview."]').cloneNode();
    this.host.hidden = true;
    link.onload = () => { this.host.hidden = false; };
    this.root.prepend(link);
  }

  /** Puts the panel into the viewer while it is open, because an open dialog makes everything outside inactive. */
  place() {
    const toolbar = viewer?.dialog.open ? viewer.dialog.querySelector('.toolbar') : null;
    const parent = toolbar?.parentNode || document.body;
    if (this.host.parentNode === parent) return;
    const next = toolbar?.nextSibling || null;
    if (this.host.isConnected) previewMorph.move(parent, this.host, next);
    else parent.insertBefore(this.host, next);
  }

  /** Keeps key presses in the panel from the viewer and the page, except the one that leaves the panel. */
  handleKey(event) {
    if (event.key !== 'Tab') event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    const { activeElement } = this.root;
    if (activeElement?.closest('.mistake')) this.hideMistake();
    else if (activeElement?.id === 'chain') activeElement.dispatchEvent(new Event('reset'));
    else this.fold(true);
  }

  get isFolded() { return this.find('.tools').hidden; }

  fold(isFolded) {
    const hadFocus = this.find('.tools').contains(this.root.activeElement);
    this.find('.tools').hidden = isFolded;
    this.find('.fold').ariaExpanded = !isFolded;
    preferences.set('preview-folded', isFolded);
    if (hadFocus && isFolded) this.find('.fold').focus();
  }

  /** Announces something that the visitor has caused or has to know. */
  announce(text) {
    const status = this.find('.status');
    status.textContent = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { status.textContent = ''; }, PreviewPanel.announcement);
  }

  /** @param state "connecting", "connected" or "lost" */
  setState(state, words) {
    this.state = this.find('.preview-panel').dataset.state = state;
    this.find('.words').textContent = words;
  }

  showConnection(isConnected) {
    if (isConnected) {
      if (this.state === 'lost') this.announce('The connection is back.');
      this.setState('connected', this.progress || 'Preview');
    } else if (this.state !== 'lost') {
      this.setState('lost', 'No connection');
      this.announce('gallerygen serve can’t be reached. This page tries again.');
    }
  }

  showProgress(ready, total) {
    const isComplete = ready >= total;
    this.progress = isComplete ? `${total} photos done` : `${ready} of ${total} photos done`;
    Object.assign(this.find('progress'), { max: total || 1, value: ready, hidden: isComplete });
    if (this.state === 'connected') this.setState('connected', this.progress);
  }

  /** @param mistake the message, and its position if it is in a file: `file`, `line` and `column` */
  showMistake(mistake) {
    this.mistake = mistake;
    const { message, file, line, column } = mistake;
    const element = (name, className, text) =>
      Object.assign(document.createElement(name), { className, textContent: text });
    const hint = element('p', 'hint', 'The page shows the last version without this mistake.');
    const words = element('p', 'message', message);
    const place = element('p', 'place', [file, line, column].filter(part => part !== undefined).join(':'));
    place.dir = 'ltr';
    const button = element('button', 'dismiss', 'Dismiss');
    button.type = 'button';
    button.onclick = () => this.hideMistake();
    this.find('.mistake').replaceChildren(...file ? [place] : [], words, hint, button);
    this.find('.show-mistake').hidden = true;
  }

  hideMistake() {
    const hadFocus = this.find('.mistake').contains(this.root.activeElement);
    this.find('.mistake').replaceChildren();
    const button = this.find('.show-mistake');
    button.hidden = !this.mistake;
    if (hadFocus) (this.mistake ? button : this.find('.fold')).focus();
  }

  mend() {
    if (this.mistake) this.announce('The mistake is mended.');
    this.mistake = null;
    this.hideMistake();
  }
}
