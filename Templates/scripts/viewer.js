// The viewer, a dialog that shows one photo at a time.

'use strict';

class Viewer {
  /** The numbers of the viewer's photos, in their order. */
  list = [];
  /** The records of the publication that the list is of; none before the viewer is first opened. */
  records = [];
  index = 0;
  /** The direction of the last step: 1 or -1. */
  direction = 1;

  constructor(dialog) {
    this.dialog = dialog;
    const find = selector => dialog.querySelector(selector);
    this.menuPanel = find('.menu');
    this.helpPanel = find('.help');
    this.backdrop = new Motion(find('.backdrop'), 'opacity');
    this.information = new InformationPanel(dialog);
    // 1, or -1 in a right-to-left language, where the next photo is on the left.
    this.forward = getComputedStyle(document.documentElement).direction === 'rtl' ? -1 : 1;
    this.prefetch = new Prefetch();
    const stage = find('.stage');
    this.track = new Track(stage, this.prefetch, this.forward);
    this.comparison = new Comparison(stage, this.track, this.button('compare'));
    this.gestures = new Gestures(stage, this.track, {
      step: (by, speed) => this.step(by, speed),
      close: () => this.dismiss(),
      fade: opacity => this.fade(opacity),
      toggleBars: () => this.bars.toggle(),
      isFixed: () => this.comparison.isOn || this.isClosing,
    });
    this.strip = new Strip(find('.strip'), index => this.at(index), index => this.go(index));
    this.slideshow = new Slideshow(this.button('play'), find('.progress'), find('select'), () => this.next());
    this.bars = new Bars(dialog, () => this.comparison.isOn || find('.panel:not([hidden]), :focus-visible'));
    this.button('fullScreen').hidden = !document.fullscreenEnabled;
    this.button('share').hidden = !navigator.share;
    this.button('copy').hidden = !navigator.clipboard;

    const checkbox = find('[data-single-keys]');
    checkbox.checked = keyboard.hasSingleKeys;
    checkbox.onchange = () => preferences.set('keys', checkbox.checked);

    // While the viewer closes, no input may change the photo, because the address is already that of the list.
    dialog.onclick = ({ target }) => {
      if (this.isClosing) return;
      this[target.closest('[data-action]')?.dataset.action]?.();
      if (!target.closest('.menu, [data-action=menu]')) this.menu(false);
    };
    dialog.onkeydown = event => {
      if (event.key === 'Tab') keyboard.trapFocus(event, dialog);
      else if (!this.isClosing) keyboard.control(this, event);
    };
    dialog.oncancel = event => {
      event.preventDefault();
      this.dismiss();
    };
    dialog.onclose = () => this.isOpen || this.tidy();
    addEventListener('resize', () => this.isOpen && this.measure());
  }

  get isOpen() { return this.dialog.open; }
  get record() { return this.at(this.index); }
  /** The record of the photo at a position of the list, if it is loaded. */
  at(index) { return this.records[this.list[index]]; }
  /** The zoom of the current photo. */
  get zoom() { return this.track.current.zoom; }

  button(name) { return this.dialog.querySelector(`[data-action=${name}]`); }

  // Opening and closing

  /**
   * @param list  the numbers of the photos; the record of the one at `index` must be loaded
   * @param scope the origin of the list: the `query` of a search, an `album`, or all photos
   */
  open(list, index, scope) {
    const { records } = photos;
    Object.assign(this, { list, records, index, scope, opener: document.activeElement, title: document.title });
    this.isClosing = this.isLeaving = false;
    router.makeAbsolute();
    const thumbnail = transition.thumbnail(this.record);
    this.backdrop.set(1);
    // The bars are laid out while they are hidden, so that they can fade in.
    this.dialog.className = 'viewer leaving';
    this.dialog.showModal();
    this.dialog.focus();
    this.track.measure();
    this.strip.measure();
    this.dialog.className = 'viewer';
    this.show(index);
    transition.run(this.track.current, thumbnail, this.backdrop.element, 'reverse');
    this.bars.show();
  }

  /** Closes the menu or the help if one is open, or else the viewer. @returns whether the viewer closes */
  dismiss() {
    if (!this.menuPanel.hidden) this.menu(false);
    else if (!this.helpPanel.hidden) this.help();
    else this.close();
    return !!this.isClosing;
  }

  close() {
    if (this.isClosing) return;
    this.isClosing = true;
    if (history.state?.viewer && !history.state.isFirst) return history.back();
    if (router.fragment()) history.replaceState(null, '', location.pathname + location.search);
    this.leave();
  }

  /** Animates the picture back into its thumbnail, and closes the dialog. */
  async leave() {
    if (!this.isOpen || this.isLeaving) return;
    this.isClosing = this.isLeaving = true;
    this.slideshow.set(false);
    this.comparison.set(false);
    this.dialog.classList.add('leaving', 'closing');
    if (document.fullscreenElement) await document.exitFullscreen().catch(() => {});
    // The photo may be further down the page than the one from which the viewer was opened.
    photos.element(this.record)?.scrollIntoView({ block: 'nearest' });
    await transition.run(this.track.current, transition.thumbnail(this.record), this.backdrop.element);
    if (this.isLeaving) this.finish();
  }

  finish() {
    this.dialog.close();
    this.tidy();
  }

  tidy() {
    if (!this.title) return;
    clearTimeout(this.bars.timer);
    this.prefetch.want([]);
    this.strip.clear();
    this.track.show([null, null, null]);
    document.title = this.title;
    this.title = null;
    this.isLeaving = false;
    const link = photos.element(this.record)?.querySelector('a[data-viewer]');
    (link?.isConnected ? link : this.opener)?.focus();
  }

  /** Shows the photo of the address after Back, Forward, or a manual change. */
  follow() {
    const page = router.page();
    if (!page) return this.leave();
    if (this.isLeaving) this.finish();
    this.isClosing = false;
    const index = this.list.findIndex(number => this.records[number]?.page === page);
    if (index < 0 || !this.isOpen && this.records !== photos.records) {
      if (this.isOpen) this.finish();
      return restoreViewer();
    }
    if (!this.isOpen) this.open(this.list, index, this.scope);
    else if (index !== this.index) this.show(index);
  }

  /** Sets the opacity of the background during the gesture that closes the viewer. */
  fade(opacity) {
    if (this.isClosing) return;
    this.dialog.classList.toggle('leaving', opacity < 1);
    const from = this.backdrop.element.style.opacity;
    if (from < opacity) this.backdrop.glide(from, opacity, 280);
    else this.backdrop.set(opacity);
  }

  // Going from photo to photo

  step(by, speed) { return this.go(this.wrap(this.index + by), speed, by); }
  previous() { return this.step(-1); }
  next() { return this.step(1); }

  /** The index in the list. The first photo follows the last one, unless there are only two, because each of them can
   *  be on only one side of the other. */
  wrap(index) {
    const { length } = this.list;
    return length > 2 ? (index + length) % length : index;
  }

  /** @returns whether the photo changes, either now or when its record is loaded */
  go(index, speed, by = index - this.index) {
    // A slideshow, a finger that is lifted, or a record that has just been loaded may ask for another photo.
    if (this.isClosing) {
      this.track.settle();
      return false;
    }
    index = this.wanted = clamp(index, 0, this.list.length - 1);
    if (index === this.index || !this.at(index)) {
      this.track.settle();
      return index !== this.index && this.load(index, by);
    }
    this.direction = Math.sign(by);
    this.show(index, Math.abs(by) === 1 ? by : 0, speed);
    router.replace(this.record, this.slideshow.isOn);
    return true;
  }

  /** Goes to a photo whose record is not loaded, unless the visitor goes elsewhere meanwhile. */
  async load(index, by) {
    const { list } = this;
    await this.fetch([list[index]]);
    if (!this.isOpen || this.wanted !== index) return false;
    // After a rebuild, the next photo may have another index.
    if (list !== this.list) return Math.abs(by) === 1 ? this.step(by) : this.go(index);
    return !!this.at(index) && this.go(index);
  }

  /** Loads records. If this fails, the viewer still shows the photos whose records are loaded. */
  async fetch(numbers) {
    const { records } = this;
    await photos.retrying(() => records === photos.records && photos.fetch(numbers)).catch(() => {});
    await this.catchUp();
  }

  /** After a rebuild, switches to the list of the latest publication, and stays at the current photo. */
  async catchUp() {
    const { record, index, scope } = this;
    const { records } = photos;
    if (!this.isOpen || this.records === records) return;
    const [{ pages }, list] = await Promise.all([photos.search(), photos.list(scope)]).catch(() => [{}, []]);
    if (!list.length) return;
    const position = list.indexOf(pages.indexOf(record.page));
    // If the photo has left the list, the one at its index is shown.
    const number = list[position < 0 ? Math.min(index, list.length - 1) : position];
    await photos.fetch([number]).catch(() => {});
    const latest = records[number];
    if (!latest || this.isClosing || this.records === records) return;
    // The visitor may have gone to another photo meanwhile.
    if (record !== this.record) return this.catchUp();

    const { wanted } = this;
    Object.assign(this, { list, records, index: list.indexOf(number) });
    if (latest.page === record.page && `${latest.images}` === `${record.images}`) {
      this.track.current.update(latest);
      this.describe();
    } else {
      this.show(this.index);
      router.replace(latest, this.slideshow.isOn);
      // Keeps the step to another photo whose record is still being loaded.
      if (wanted !== index) this.wanted = wanted;
    }
  }

  /** Loads the current picture. After a rebuild, it may have another name. */
  async loadPicture() {
    const { record, track } = this;
    if (await track.current.load() || record !== this.record) return;
    await photos.renew().catch(() => {});
    await this.catchUp();
  }

  get neighbours() { return [-1, 0, 1].map(by => this.at(this.wrap(this.index + by))); }

  /** @param by the step to the photo, 1 or -1; 0 if the photo was no neighbour */
  async show(index, by = 0, speed = 0) {
    this.index = this.wanted = index;
    const { record } = this;
    document.title = record.name;
    this.track.show(this.neighbours, by, speed);
    const isLoaded = this.loadPicture();
    this.comparison.set(false);
    this.describe();
    await isLoaded;
    if (record === this.record) this.slideshow.restartTimer();
  }

  /** Updates the words and controls for the current photo, and loads nearby photos. */
  describe() {
    this.information.show(this.record);
    this.markVote();
    this.announce();
    this.preload();
  }

  /** Loads the records of nearby photos, two pictures ahead and one behind (the nearest first), and the strip's. */
  async preload() {
    const { track, strip, list, index, forward } = this;
    const ends = [list.at(index - 1), list[(index + 1) % list.length]];
    const near = list.slice(Math.max(0, index - Strip.radius), index + Strip.radius + 1);
    await this.fetch([...near, ...ends]);
    if (!this.isOpen || list !== this.list || index !== this.index) return;
    const { neighbours } = this;
    // Only if they have changed, because showing them again would end the animation of the track.
    if (neighbours.some((record, slot) => record !== track.slides[slot].record)) track.show(neighbours);
    strip.show(list, index, forward);
    const wanted = [0, 1, -1, 2].map(by => this.at(this.wrap(index + by * this.direction))).filter(Boolean);
    const addresses = wanted.map(record => Slide.address(record, track.stage)).filter(Boolean);
    const isDone = await this.prefetch.want(addresses, image => track.insert(image));
    if (isDone) strip.show(list, index, forward, true);
  }

  announce() {
    const { index, record: { name }, list: { length: total } } = this;
    const n = index + 1;
    const position = this.dialog.querySelector('.position');
    const text = format(this.dialog.dataset.position, { n, total, name });
    if (position.textContent !== text) position.textContent = text;
    // A custom template may lack the `bdi`, which keeps the order of the two numbers.
    const counter = this.dialog.querySelector('.counter');
    (counter.querySelector('bdi') || counter).textContent = `${n} / ${total}`;
    // On touch screens, the menu has these buttons too.
    const disable = (name, isDisabled) => {
      const buttons = this.dialog.querySelectorAll(`[data-action=${name}]`);
      for (const button of buttons) button.ariaDisabled = isDisabled;
    };
    disable('previous', total < 3 && !index);
    disable('next', total < 3 && n === total);
  }

  measure() {
    this.track.measure();
    this.strip.measure();
    this.comparison.layOut();
    this.track.current.sharpen();
  }

  // The actions of the buttons and keys

  retry() {
    const { current } = this.track;
    current.fit();
    current.draw();
    this.loadPicture();
    this.dialog.focus();
  }

  zoomIn() { this.zoom.step(1); }
  zoomOut() { this.zoom.step(-1); }

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
    this.measure();
  }

  menu(isOpen = this.menuPanel.hidden) {
    if (isOpen !== this.menuPanel.hidden) return;
    const button = this.button('menu');
    const hadFocus = this.menuPanel.contains(document.activeElement);
    this.menuPanel.hidden = !isOpen;
    button.ariaExpanded = isOpen;
    const copy = this.button('copy');
    copy.textContent = copy.dataset.label ??= copy.textContent;
    if (isOpen) [...this.menuPanel.querySelectorAll('button')].find(button => button.offsetWidth)?.focus();
    else if (hadFocus) button.focus();
  }

  help() {
    const isOpen = this.helpPanel.hidden;
    this.menu(false);
    this.helpPanel.hidden = !isOpen;
    this.button('help').ariaExpanded = isOpen;
    (isOpen ? this.helpPanel : this.dialog).focus();
  }

  // The dialog's content is shown full screen, because browsers refuse to show the dialog itself.
  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    else this.dialog.firstElementChild.requestFullscreen().catch(() => {});
  }

  share() {
    // It is no failure if the visitor cancels.
    navigator.share({ title: this.record.name, url: photos.address(this.record.page) }).catch(() => {});
  }

  async copy() {
    const button = this.button('copy');
    const address = photos.address(this.record.page);
    // Without access to the clipboard (no permission, or no secure context), the link gets the focus.
    const isCopied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    if (isCopied) button.textContent = button.dataset.copied;
    else this.dialog.querySelector('[data-link=page]').focus();
  }
}
