// The viewer: one photo at a time over the page that lists it.

class Viewer {
  list = [];
  index = 0;
  /** Which way the reader goes: 1 or -1. */
  direction = 1;

  constructor(dialog) {
    this.dialog = dialog;
    const find = selector => dialog.querySelector(selector);
    this.frame = find('.frame');
    this.where = find('.where');
    this.helpPanel = find('.help');
    this.facts = new Facts(find('.facts'));
    this.picture = new Picture(find('.stage'), {
      step: (way, from, speed) => this.step(way * this.forward) && this.picture.arrive(from, speed),
      close: () => this.close(),
      isFixed: () => this.comparing.isOn,
    });
    this.zoom = this.picture.zoom;
    this.comparing = new Compare(this.picture, this.button('compare'));
    this.slideshow = new Slideshow(this.button('play'), () => this.next());
    this.button('fullScreen').hidden = !document.fullscreenEnabled;
    const box = find('[data-keys]');
    box.checked = keys.areOn;
    box.onchange = () => memory.set('keys', box.checked);
    dialog.onclick = ({ target }) => this[target.closest('[data-do]')?.dataset.do]?.();
    dialog.onkeydown = event => event.key === 'Tab' ? keys.trap(event, dialog) : keys.go(this, event);
    dialog.oncancel = event => {
      event.preventDefault();
      this.close();
    };
    dialog.onclose = () => this.hidden();
    addEventListener('resize', () => this.isOpen && this.picture.fit());
  }

  get isOpen() { return this.dialog.open; }
  get record() { return this.list[this.index]; }
  /** 1, or -1 where people read from right to left: there the next photo lies to the left. */
  get forward() { return getComputedStyle(this.dialog).direction === 'rtl' ? -1 : 1; }

  button(name) { return this.dialog.querySelector(`[data-do=${name}]`); }

  // Opening and closing

  /** @param list the photos to go through; `offset` and `total` say where they stand among all */
  open(list, index, { offset = 0, total = list.length } = {}) {
    Object.assign(this, { list, offset, total, opener: document.activeElement, title: document.title });
    router.pin();
    this.dialog.showModal();
    this.dialog.focus();
    this.show(index);
  }

  /** Goes on with a longer list that has the same photo in it. */
  extend(list) {
    const index = list.findIndex(record => record.page === this.record.page);
    if (!this.isOpen || index < 0) return;
    // The same objects: what is under way for the photo shown knows it by its record.
    const known = new Map(this.list.map(record => [record.page, record]));
    this.list = list.map(record => known.get(record.page) || record);
    Object.assign(this, { index, offset: 0, total: list.length });
    this.ahead();
    this.announce();
  }

  close() {
    if (!this.helpPanel.hidden) return this.help();
    this.slideshow.set(false);
    if (history.state?.viewer && !history.state.isFirst) return history.back();
    if (router.fragment()) history.replaceState(null, '', location.pathname + location.search);
    this.dialog.close();
  }

  hidden() {
    this.slideshow.set(false);
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.picture.clear();
    document.title = this.title;
    const shown = this.record.element?.querySelector('a[data-view]');
    (shown?.isConnected ? shown : this.opener)?.focus();
  }

  /** Shows what the address says, after Back, Forward, or a change by hand. */
  follow() {
    const page = router.page();
    if (!page) return this.dialog.close();
    const index = this.list.findIndex(record => record.page === page);
    if (index < 0) return start();
    if (!this.isOpen) this.open(this.list, index, this);
    else if (index !== this.index) this.show(index);
  }

  // Going from photo to photo

  step(by) { return this.go(this.index + by); }
  previous() { return this.step(-1); }
  next() { return this.step(1); }

  /** @returns whether it went anywhere: it does not beyond the ends */
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
    this.comparing.set(false);
    this.facts.show(this.record);
    this.thumb();
    this.announce();
    this.ahead();
    this.slideshow.wait();
  }

  /** As a collection view does: two ahead and one back, nearest first. */
  ahead() { this.picture.ahead([0, 1, -1, 2].map(by => this.list[this.index + by * this.direction])); }

  announce() {
    const { index, record: { name }, total } = this;
    const text = sentence(this.dialog.dataset.position, { n: this.offset + index + 1, total, name });
    if (this.where.textContent !== text) this.where.textContent = text;
    this.button('previous').ariaDisabled = !index;
    this.button('next').ariaDisabled = index === this.list.length - 1;
  }

  // What the buttons and the keys do

  retry() {
    this.picture.draw();
    this.dialog.focus();
  }

  zoomIn() { this.zoom.zoomBy(1.5); }
  zoomOut() { this.zoom.zoomBy(1 / 1.5); }

  compare() {
    this.slideshow.set(false);
    this.comparing.set(!this.comparing.isOn);
  }

  play(isOn = !this.slideshow.isOn) {
    this.slideshow.set(isOn);
    router.note({ isPlaying: isOn });
  }

  thumb() { if (this.record) ratings.press(this.dialog, ratings.of(this.record)); }

  info() {
    this.button('info').ariaExpanded = this.facts.toggle();
    this.picture.fit();
    this.picture.sharpen();
  }

  help() {
    const isOpen = this.helpPanel.hidden;
    this.helpPanel.hidden = !isOpen;
    this.button('help').ariaExpanded = isOpen;
    (isOpen ? this.helpPanel : this.dialog).focus();
  }

  // Not the dialog itself, which browsers refuse to show full screen.
  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    else this.frame.requestFullscreen?.().catch(() => {});
  }

  async copy() {
    const button = this.button('copy');
    // Browsers refuse it without permission, and offer it to secure pages alone: then the address is there to be copied.
    const isCopied = await navigator.clipboard?.writeText(photos.address(this.record.page)).then(() => true, () => false);
    if (isCopied) button.textContent = button.dataset.done;
    else this.dialog.querySelector('[data-way=page]').focus();
  }
}
