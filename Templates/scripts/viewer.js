// The viewer: one photo at a time, in a dialog over the page that lists it.

class Viewer {
  list = [];
  index = 0;
  /** The direction of the last step: 1 or -1. */
  direction = 1;

  constructor(dialog) {
    this.dialog = dialog;
    const find = selector => dialog.querySelector(selector);
    this.layout = find('.layout');
    this.position = find('.position');
    this.helpPanel = find('.help');
    this.information = new InformationPanel(find('.information'));
    this.picture = new Picture(find('.stage'), {
      step: (by, from, speed) => this.step(by * this.forward) && this.picture.slideIn(from, speed),
      close: () => this.close(),
      isFixed: () => this.comparison.isOn,
    });
    this.zoom = this.picture.zoom;
    this.comparison = new Comparison(this.picture, this.button('compare'));
    this.slideshow = new Slideshow(this.button('play'), () => this.next());
    this.button('fullScreen').hidden = !document.fullscreenEnabled;

    const checkbox = find('[data-single-keys]');
    checkbox.checked = keyboard.hasSingleKeys;
    checkbox.onchange = () => preferences.set('keys', checkbox.checked);

    dialog.onclick = ({ target }) => this[target.closest('[data-action]')?.dataset.action]?.();
    dialog.onkeydown = event => {
      if (event.key === 'Tab') keyboard.trapFocus(event, dialog);
      else keyboard.control(this, event);
    };
    dialog.oncancel = event => {
      event.preventDefault();
      this.close();
    };
    dialog.onclose = () => this.handleClose();
    addEventListener('resize', () => this.isOpen && this.picture.fit());
  }

  get isOpen() { return this.dialog.open; }
  get record() { return this.list[this.index]; }
  /** 1, or -1 in a language that is written from right to left: there the next photo lies to the left. */
  get forward() { return getComputedStyle(this.dialog).direction === 'rtl' ? -1 : 1; }

  button(name) { return this.dialog.querySelector(`[data-action=${name}]`); }

  // Opening and closing

  /** @param list the photos to go through, whose `offset` and `total` are their position among all */
  open(list, index, { offset = 0, total = list.length } = {}) {
    Object.assign(this, { list, offset, total, opener: document.activeElement, title: document.title });
    router.makeAbsolute();
    this.dialog.showModal();
    this.dialog.focus();
    this.show(index);
  }

  /** Replaces the list with a longer one that has the same photo in it. */
  extend(list) {
    const index = list.findIndex(record => record.page === this.record.page);
    if (!this.isOpen || index < 0) return;
    // Records keep their identity: loads under way compare them.
    const known = new Map(this.list.map(record => [record.page, record]));
    this.list = list.map(record => known.get(record.page) || record);
    Object.assign(this, { index, offset: 0, total: list.length });
    this.preload();
    this.announce();
  }

  close() {
    if (!this.helpPanel.hidden) return this.help();
    this.slideshow.set(false);
    if (history.state?.viewer && !history.state.isFirst) return history.back();
    if (router.fragment()) history.replaceState(null, '', location.pathname + location.search);
    this.dialog.close();
  }

  handleClose() {
    this.slideshow.set(false);
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.picture.clear();
    document.title = this.title;
    const link = this.record.element?.querySelector('a[data-viewer]');
    (link?.isConnected ? link : this.opener)?.focus();
  }

  /** Shows the photo of the address, after Back, Forward, or a change by hand. */
  follow() {
    const page = router.page();
    if (!page) return this.dialog.close();
    const index = this.list.findIndex(record => record.page === page);
    if (index < 0) return restoreViewer();
    if (!this.isOpen) this.open(this.list, index, this);
    else if (index !== this.index) this.show(index);
  }

  // Going from photo to photo

  step(by) { return this.go(this.index + by); }
  previous() { return this.step(-1); }
  next() { return this.step(1); }

  /** @returns whether the photo changed: beyond the first and the last there is none */
  go(index) {
    index = clamp(index, 0, this.list.length - 1);
    if (index === this.index) return this.zoom.settle();
    this.direction = Math.sign(index - this.index);
    this.show(index);
    router.replace(this.record, this.slideshow.isOn);
    return true;
  }

  show(index) {
    this.index = index;
    document.title = this.record.name;
    this.picture.show(this.record);
    this.comparison.set(false);
    this.information.show(this.record);
    this.markVote();
    this.announce();
    this.preload();
    this.slideshow.restartTimer();
  }

  /** Loads two photos ahead and one behind, nearest first. */
  preload() { this.picture.preload([0, 1, -1, 2].map(by => this.list[this.index + by * this.direction])); }

  announce() {
    const { index, record: { name }, total } = this;
    const text = format(this.dialog.dataset.position, { n: this.offset + index + 1, total, name });
    if (this.position.textContent !== text) this.position.textContent = text;
    this.button('previous').ariaDisabled = !index;
    this.button('next').ariaDisabled = index === this.list.length - 1;
  }

  // The actions of the buttons and keys

  retry() {
    this.picture.draw();
    this.dialog.focus();
  }

  zoomIn() { this.zoom.zoomBy(1.5); }
  zoomOut() { this.zoom.zoomBy(1 / 1.5); }

  compare() {
    this.slideshow.set(false);
    this.comparison.set(!this.comparison.isOn);
  }

  play(isOn = !this.slideshow.isOn) {
    this.slideshow.set(isOn);
    router.update({ isPlaying: isOn });
  }

  markVote() { if (this.record) ratings.markButtons(this.dialog, ratings.vote(this.record)); }

  info() {
    this.button('info').ariaExpanded = this.information.toggle();
    this.picture.fit();
    this.picture.sharpen();
  }

  help() {
    const isOpen = this.helpPanel.hidden;
    this.helpPanel.hidden = !isOpen;
    this.button('help').ariaExpanded = isOpen;
    (isOpen ? this.helpPanel : this.dialog).focus();
  }

  // Browsers refuse to show the dialog itself full screen, but not its content.
  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    else this.layout.requestFullscreen?.().catch(() => {});
  }

  async copy() {
    const button = this.button('copy');
    const address = photos.address(this.record.page);
    // Browsers refuse the clipboard without permission, and outside of secure pages: then the link gets the focus.
    const isCopied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    if (isCopied) button.textContent = button.dataset.copied;
    else this.dialog.querySelector('[data-link=page]').focus();
  }
}
