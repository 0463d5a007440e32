// The viewer: one photo at a time over the page that lists it.
'use strict';

class Viewer {
  static pause = 5000;
  prefetch = new Prefetch();
  list = [];
  index = 0;
  /** Which way the reader goes: 1 or -1. */
  direction = 1;

  constructor(dialog) {
    this.dialog = dialog;
    const find = selector => dialog.querySelector(selector);
    this.frame = find('.frame');
    this.stage = find('.stage');
    this.slide = find('.slide');
    this.wipe = find('.wipe');
    this.sides = find('.sides');
    this.trouble = find('.trouble');
    this.facts = new Facts(find('.facts'));
    this.helpPanel = find('.help');
    this.keysBox = find('[data-keys]');
    this.keysBox.checked = memory.get('keys') !== false;
    this.zoom = new Zoom(this.stage, this.slide, {
      step: way => this.step(way * this.forward),
      close: () => this.close(),
      zoomed: () => this.sharpen(),
      isFixed: () => !this.wipe.hidden,
      canZoom: () => this.trouble.hidden,
    });
    dialog.addEventListener('click', event => this.press(event.target.closest('[data-do]')));
    dialog.addEventListener('keydown', event => this.key(event));
    dialog.addEventListener('cancel', event => {
      event.preventDefault();
      this.close();
    });
    dialog.addEventListener('close', () => this.hidden());
    this.wipe.addEventListener('input', () => this.cut());
    this.keysBox.addEventListener('change', () => memory.set('keys', this.keysBox.checked));
    addEventListener('resize', () => this.isOpen && this.fit());
  }

  get isOpen() { return this.dialog.open; }
  get record() { return this.list[this.index]; }
  /** 1, or -1 where people read from right to left: there the next photo lies to the left. */
  get forward() { return getComputedStyle(this.dialog).direction === 'rtl' ? -1 : 1; }

  button(name) { return this.dialog.querySelector(`[data-do=${name}]`); }
  press(button) { if (button) this[button.dataset.do](); }

  // Opening and closing

  /** @param list the photos to go through; `offset` and `total` say where they stand among all */
  open(list, index, { offset = 0, total = list.length } = {}) {
    Object.assign(this, { list, offset, total, opener: document.activeElement });
    Way.pin();
    this.dialog.showModal();
    this.dialog.focus();
    this.title = document.title;
    this.show(index);
  }

  /** Goes on with a longer list that has the same photo in it. */
  extend(list) {
    if (!this.isOpen) return;
    const index = list.findIndex(record => record.page === this.record.page);
    if (index < 0) return;
    // The same objects: what is under way for the photo shown knows it by its record.
    const known = new Map(this.list.map(record => [record.page, record]));
    this.list = list.map(record => known.get(record.page) || record);
    Object.assign(this, { index, offset: 0, total: list.length });
    this.ahead();
    this.announce();
  }

  close() {
    if (!this.helpPanel.hidden) return this.help();
    this.stop();
    if (history.state?.viewer && !history.state.isFirst) history.back();
    else {
      if (Way.fragment()) history.replaceState(null, '', location.pathname + location.search);
      this.dialog.close();
    }
  }

  hidden() {
    this.stop();
    this.prefetch.want([]);
    this.slide.replaceChildren();
    document.title = this.title;
    const shown = this.record?.element?.querySelector('a[data-view]');
    (shown?.isConnected ? shown : this.opener)?.focus();
  }

  /** Shows what the address says, after Back, Forward, or a change by hand. */
  follow() {
    const page = Way.page();
    if (!page) return this.isOpen && this.dialog.close();
    const index = this.list.findIndex(record => record.page === page);
    if (index < 0) return start();
    if (!this.isOpen) this.open(this.list, index, this);
    else if (index !== this.index) this.show(index);
  }

  // Going from photo to photo

  step(by) { this.go(this.index + by); }
  previous() { this.step(-1); }
  next() { this.step(1); }

  go(index) {
    index = Math.min(Math.max(index, 0), this.list.length - 1);
    if (index === this.index) return this.zoom.settle();
    this.direction = index > this.index ? 1 : -1;
    this.show(index);
    Way.replace(this.record, this.isPlaying);
  }

  show(index) {
    this.index = index;
    // A new one for each photo: the old one would count as moved when it takes another shape.
    const slide = this.slide.cloneNode();
    this.slide.replaceWith(slide);
    this.zoom.slide = this.slide = slide;
    document.title = this.record.name;
    this.setComparing(false);
    this.button('compare').disabled = !this.record.original || !this.record.images;
    this.facts.show(this.record);
    this.showRating();
    this.announce();
    this.fit();
    this.draw();
    this.ahead();
    this.schedule();
  }

  announce() {
    const values = { n: this.offset + this.index + 1, total: this.total, name: this.record.name };
    const text = sentence(this.dialog.dataset.position, values);
    const where = this.dialog.querySelector('.where');
    if (where.textContent !== text) where.textContent = text;
    this.button('previous').ariaDisabled = this.index === 0;
    this.button('next').ariaDisabled = this.index === this.list.length - 1;
  }

  // The picture

  fit() {
    const largest = this.record.images?.at(-1) || [3, 2];
    this.zoom.fit(largest[0], largest[1]);
    this.wipe.style.width = this.zoom.width + 'px';
    this.wipe.style.height = this.zoom.height + 'px';
  }

  /** The address of the picture that is sharp at the present zoom, or at the fitted size of another photo. */
  sharpest(record = this.record, scale = 1) {
    const [width, height] = record.images?.at(-1) || [];
    if (!width) return null;
    const fitted = Math.min(this.stage.clientWidth / width, this.stage.clientHeight / height, 1) * width;
    return photos.address(photos.image(record, fitted * scale * devicePixelRatio)[2]);
  }

  async draw() {
    const { record } = this;
    this.slide.replaceChildren();
    this.trouble.hidden = true;
    const address = this.sharpest();
    if (!address) return this.fail('reason');
    const preview = record.element?.querySelector('img');
    const load = this.prefetch.load(address);
    if (!load.isReady && preview?.complete && preview.naturalWidth) {
      const image = new Image();
      image.src = preview.currentSrc;
      this.place(image);
    }
    this.stage.classList.toggle('loading', !load.isReady);
    try {
      await load.decoded;
    } catch {
      if (record === this.record && this.isOpen) this.fail('broken');
      return;
    }
    if (record !== this.record || !this.isOpen) return;
    this.stage.classList.remove('loading');
    this.place(load.image);
  }

  place(image) {
    image.alt = this.record.alt || this.record.name;
    image.className = 'after';
    const old = this.slide.querySelector('.after');
    if (old) old.replaceWith(image);
    else this.slide.prepend(image);
  }

  async sharpen() {
    const { record } = this;
    const shown = this.slide.querySelector('.after');
    const address = record && this.sharpest(record, this.zoom.scale);
    if (!shown || !address || shown.src === address) return;
    const [now] = record.images.filter(image => photos.address(image[2]) === shown.src);
    const [wanted] = record.images.filter(image => photos.address(image[2]) === address);
    if (now && now[0] >= wanted[0]) return;
    // A larger one that can't be had leaves the one that is shown.
    const image = await this.prefetch.need(address);
    if (image && record === this.record && this.isOpen && this.trouble.hidden) this.place(image);
  }

  /** @param why "broken" for a picture that did not load, "reason" for a photo that has none */
  fail(why) {
    this.stage.classList.remove('loading');
    this.slide.replaceChildren();
    this.trouble.hidden = false;
    for (const line of this.trouble.querySelectorAll('p')) {
      line.hidden = line.dataset.trouble !== why;
      if (line.dataset.trouble === 'reason') line.textContent = this.record.reason || line.dataset.new;
    }
    this.button('retry').hidden = why !== 'broken';
  }

  retry() {
    this.draw();
    this.dialog.focus();
  }

  ahead() {
    const near = [0, 1, 2, -1].map(by => this.list[this.index + by * this.direction]);
    this.prefetch.want(near.map(record => record && this.sharpest(record)).filter(Boolean));
  }

  up() { this.rate('up'); }
  down() { this.rate('down'); }

  rate(thumb) {
    ratings.toggle(this.record, thumb);
    this.showRating();
  }

  showRating() {
    for (const thumb of ['up', 'down']) this.button(thumb).ariaPressed = ratings.of(this.record) === thumb;
  }

  zoomIn() { this.zoom.zoomBy(1.5); }
  zoomOut() { this.zoom.zoomBy(1 / 1.5); }

  // Before and after

  compare() { this.setComparing(this.wipe.hidden); }

  async setComparing(isOn) {
    const { record } = this;
    isOn &&= !!record.original && !!record.images;
    this.wipe.hidden = this.sides.hidden = !isOn;
    this.button('compare').ariaPressed = isOn;
    this.slide.querySelector('.before')?.remove();
    if (!isOn) return;
    this.zoom.reset();
    this.stop();
    this.wipe.value = 50;
    this.wipe.focus();
    const image = await this.prefetch.need(photos.address(record.original[2]));
    if (record !== this.record || this.wipe.hidden) return;
    if (!image) return this.setComparing(false);
    image.alt = '';
    image.className = 'before';
    this.slide.append(image);
    this.cut();
  }

  cut() {
    const before = this.slide.querySelector('.before');
    if (before) before.style.clipPath = `inset(0 ${100 - this.wipe.value}% 0 0)`;
    this.wipe.style.setProperty('--at', this.wipe.value + '%');
  }

  // Slideshow

  get isPlaying() { return this.button('play').ariaPressed === 'true'; }

  play(isOn = !this.isPlaying) {
    const button = this.button('play');
    button.ariaPressed = isOn;
    button.ariaLabel = isOn ? this.dialog.dataset.pause : this.dialog.dataset.play;
    if (this.isOpen) Way.note({ isPlaying: isOn });
    this.schedule();
  }

  stop() { if (this.isPlaying) this.play(false); }

  schedule() {
    clearTimeout(this.timer);
    if (!this.isPlaying) return;
    this.timer = setTimeout(() => {
      if (this.index === this.list.length - 1) this.stop();
      else this.next();
    }, Viewer.pause);
  }

  // Panels

  info() {
    this.button('info').ariaExpanded = this.facts.toggle();
    this.fit();
    this.sharpen();
  }

  help() {
    const isOpen = this.helpPanel.hidden;
    this.helpPanel.hidden = !isOpen;
    this.button('help').ariaExpanded = isOpen;
    (isOpen ? this.helpPanel : this.dialog).focus();
  }

  // Not the dialog itself, which browsers refuse to show full screen.
  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.frame.requestFullscreen?.().catch(() => {});
  }

  async copy() {
    const button = this.button('copy');
    await navigator.clipboard.writeText(photos.address(this.record.page));
    button.textContent = button.dataset.done;
  }

  // Keys

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.key === 'Tab') return this.trap(event);
    const { target, key } = event;
    if (target === this.wipe && /^(Arrow|Home|End|Page)/.test(key)) return;
    if (target.matches('button, input, a') && (key === ' ' || key === 'Enter')) return;
    if (target.matches('.panel') && /^Arrow(Up|Down)|^Page/.test(key)) return;
    if (key.length === 1 && !this.keysBox.checked) return;
    const action = this.actionOf(key);
    if (!action) return;
    event.preventDefault();
    action();
  }

  actionOf(key) {
    const arrow = (x, y) => () => {
      if (this.zoom.isZoomed && this.zoom.pan(-80 * x, -80 * y)) return;
      if (x) this.step(x * this.forward);
    };
    return {
      ArrowLeft: arrow(-1, 0), ArrowRight: arrow(1, 0), ArrowUp: arrow(0, -1), ArrowDown: arrow(0, 1),
      Home: () => this.go(0), End: () => this.go(this.list.length - 1), Escape: () => this.close(),
      '+': () => this.zoomIn(), '=': () => this.zoomIn(), '-': () => this.zoomOut(), '−': () => this.zoomOut(),
      0: () => this.zoom.zoomBy(0), i: () => this.info(), b: () => this.compare(), f: () => this.fullScreen(),
      ' ': () => this.play(), u: () => this.up(), d: () => this.down(), '?': () => this.help(),
    }[key];
  }

  /** Keeps the focus inside: from the last element to the first, and back. */
  trap(event) {
    const all = [...this.dialog.querySelectorAll('button, input, a[href], [tabindex="0"]')]
      .filter(element => element.checkVisibility());
    const [from, to] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
    const { activeElement } = document;
    if (activeElement !== from && !(event.shiftKey && activeElement === this.dialog)) return;
    event.preventDefault();
    to.focus();
  }
}
