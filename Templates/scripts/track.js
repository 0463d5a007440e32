// Three slides side by side: the current photo and its neighbours. They follow the finger together.

class Track {
  /** The offset of the track from its resting position, in CSS pixels. */
  shift = 0;
  /** The box of the stage. It is measured when it changes, and not while a finger moves. */
  stage = { left: 0, top: 0, width: 0, height: 0 };

  /** @param stage the element around the track, `direction` 1, or -1 if the next photo is on the left */
  constructor(stage, prefetch, direction) {
    const element = stage.querySelector('.track');
    const slide = element.firstElementChild;
    Object.assign(this, { element, stageElement: stage, direction, motion: new Motion(element, 'transform') });
    element.append(slide.cloneNode(true), slide.cloneNode(true));
    this.slides = [...element.children].map(child => new Slide(child, this.stage, prefetch));
  }

  get current() { return this.slides[1]; }
  /** The distance from one slide to the next. */
  get pitch() { return this.stage.width + 16; }

  /** Measures the stage, and fits the pictures into it. */
  measure() {
    const { left, top, width, height } = this.stageElement.getBoundingClientRect();
    Object.assign(this.stage, { left, top, width, height });
    this.set(0);
    for (const slide of this.slides) slide.fit();
  }

  /** The position of an event relative to the centre of the stage. */
  point({ clientX, clientY }) {
    const { left, top, width, height } = this.stage;
    return [clientX - left - width / 2, clientY - top - height / 2];
  }

  /**
   * Shows a photo between its neighbours, each of which may be missing. Slides that already show one of them stay.
   * @param by the step to the photo, 1 or -1; 0 without an animation; undefined if the track must not move
   * @param speed the current speed of the track, in pixels per millisecond
   */
  show(records, by, speed) {
    const spare = this.slides.filter(slide => !slide.record || !records.includes(slide.record));
    this.slides = records.map(record => {
      return record && this.slides.find(slide => slide.record === record) || spare.pop();
    });
    for (const [number, slide] of this.slides.entries()) {
      const { element } = slide;
      element.style.transform = `translateX(${(number - 1) * this.direction * 100}%)`;
      element.classList.toggle('current', number === 1);
      element.ariaHidden = number === 1 ? null : 'true';
      slide.show(records[number]);
      if (number !== 1) slide.zoom.reset();
    }
    if (!by) return by === 0 && this.set(0);
    this.shift += by * this.direction * this.pitch;
    this.settle(speed);
  }

  /** Shows a prefetched picture if it belongs to a neighbour. */
  insert(image) {
    for (const slide of this.slides) {
      const isNeighbour = slide.record && slide !== this.current;
      if (isNeighbour && Slide.address(slide.record, this.stage) === image.src) slide.insert(image);
    }
  }

  /** Whether a photo would appear if the track moved by this many pixels. */
  hasPhoto(shift) { return !!this.slides[1 - Math.sign(shift) * this.direction].record; }

  set(shift) {
    this.shift = shift;
    this.motion.set(Track.transform(shift));
  }

  /** Moves the track with the finger. If no photo would appear, it moves a third as far. */
  drag(shift) { this.set(this.hasPhoto(shift) ? shift : shift / 3); }

  /** Stops the track where it is now. */
  freeze() {
    const matrix = this.motion.freeze();
    if (matrix) this.set(new DOMMatrix(matrix).e);
  }

  /** Lets the track glide to its resting position. */
  settle(speed) {
    const { shift } = this;
    if (!shift) return;
    this.shift = 0;
    this.motion.glide(Track.transform(shift), Track.transform(0), Motion.duration(shift, speed));
  }

  static transform(shift) { return `translateX(${shift}px)`; }
}
