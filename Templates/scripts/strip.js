// The strip of small pictures below a photo on wide screens: those near, with the shown one in the middle. Keys and
// screen readers have the viewer's other ways to the same photos.

class Strip {
  /** How many photos it has on each side, and pixels from one to the next. */
  static reach = 12;
  static pitch = 60;
  /** By number in the list: the image of a photo. */
  images = new Map();

  /** @param at the record of a photo of the list, if it is loaded; `go` goes to it */
  constructor(element, at, go) {
    Object.assign(this, { element, at, row: element.firstElementChild });
    element.onclick = ({ target }) => target.dataset.index && go(Number(target.dataset.index));
  }

  /** Finds out whether the screen has room for it, once: the answer lays out the page. */
  measure() { this.isShown = this.element.checkVisibility(); }

  /** @param list the photos' numbers, `canLoad` whether pictures may be loaded that the page does not have yet */
  show(list, index, direction, canLoad) {
    if (!this.isShown) return;
    if (this.list !== list) this.clear();
    this.list = list;
    this.row.style.transform = `translateX(${-index * Strip.pitch * direction}px)`;
    for (const [number, image] of this.images) {
      if (Math.abs(number - index) <= Strip.reach) continue;
      image.remove();
      this.images.delete(number);
    }
    const first = Math.max(0, index - Strip.reach);
    for (let number = first; number <= index + Strip.reach && number < list.length; number++) {
      const record = this.at(number);
      if (!record) continue;
      const image = this.images.get(number) || this.add(record, number, direction);
      image.classList.toggle('shown', number === index);
      if (image.src) continue;
      image.classList.toggle('missing', !record.images);
      const [smallest] = record.images || [];
      const source = Slide.preview(record) || canLoad && smallest && photos.source(smallest);
      if (source) image.src = source;
    }
  }

  add(record, number, direction) {
    const image = Object.assign(new Image(), { alt: '', draggable: false, decoding: 'async' });
    image.dataset.index = number;
    image.style.transform = `translateX(${number * Strip.pitch * direction}px)`;
    image.style.background = record.placeholderColour || '';
    this.images.set(number, image);
    this.row.append(image);
    return image;
  }

  clear() {
    this.images.clear();
    this.row.replaceChildren();
  }
}
