// The strip of small pictures below a photo on wide screens. It shows nearby photos, and the current one in the middle.
// It is not available to keyboards and screen readers, because the viewer has other controls for the same photos.

class Strip {
  /** The number of photos on each side, and the distance in pixels from one to the next. */
  static radius = 12;
  static pitch = 60;
  /** The images of the photos, by position in the list. */
  images = new Map();

  /** @param at a function that returns the loaded record of a position in the list, `go` one that goes to a position */
  constructor(element, at, go) {
    Object.assign(this, { element, at, row: element.firstElementChild });
    element.onclick = ({ target }) => target.dataset.index && go(Number(target.dataset.index));
  }

  /** Remembers whether the screen has room for the strip, because each check needs a layout of the page. */
  measure() { this.isShown = this.element.checkVisibility(); }

  /** @param list the photos' numbers, `canLoad` whether pictures may be loaded that the page does not have */
  show(list, index, direction, canLoad) {
    if (!this.isShown) return;
    if (this.list !== list) this.clear();
    this.list = list;
    this.row.style.transform = `translateX(${-index * Strip.pitch * direction}px)`;
    for (const [number, image] of this.images) {
      if (Math.abs(number - index) <= Strip.radius) continue;
      image.remove();
      this.images.delete(number);
    }
    const first = Math.max(0, index - Strip.radius);
    for (let number = first; number <= index + Strip.radius && number < list.length; number++) {
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
