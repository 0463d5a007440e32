// Three slides side by side: the photo that is shown, and its neighbours. They follow the finger together.

class Track {
  /** The distance of the track from its place, in CSS pixels. */
  shift = 0;
  /** The box of the stage, measured when it changes and not while a finger moves. */
  stage = { left: 0, top: 0, width: 0, height: 0 };

  /** @param stage the element around the track, `direction` 1, or -1 where the next photo lies to the left */
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

  /** The point of an event, from the middle of the stage. */
  point({ clientX, clientY }) {
    const { left, top, width, height } = this.stage;
    return [clientX - left - width / 2, clientY - top - height / 2];
  }

  /**
   * Shows a photo between its neighbours, of which either may be missing. Slides that show one of them already stay.
   * @param by the step that led to it, 1 or -1; 0 if it is there at once; nothing if the track stays as it is
   * @param speed that the track has, in pixels a millisecond
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

  /** Shows a picture that was loaded ahead where it belongs to a neighbour. */
  insert(image) {
    for (const slide of this.slides) {
      const isNeighbour = slide.record && slide !== this.current;
      if (isNeighbour && Slide.address(slide.record, this.stage) === image.src) slide.insert(image);
    }
  }

  /** Whether there is a photo where the track would come from, if it moved by this many pixels. */
  hasPhoto(shift) { return !!this.slides[1 - Math.sign(shift) * this.direction].record; }

  set(shift) {
    this.shift = shift;
    this.motion.set(Track.transform(shift));
  }

  /** Moves the track with the finger; where there is no photo to come, a third as far. */
  drag(shift) { this.set(this.hasPhoto(shift) ? shift : shift / 3); }

  /** Stops the track where it is seen. */
  hold() {
    const matrix = this.motion.hold();
    if (matrix) this.set(new DOMMatrix(matrix).e);
  }

  /** Lets the track glide into its place. */
  settle(speed) {
    const { shift } = this;
    if (!shift) return;
    this.shift = 0;
    this.motion.glide(Track.transform(shift), Track.transform(0), Motion.duration(shift, speed));
  }

  static transform(shift) { return `translateX(${shift}px)`; }
}
