// The scale and offset of one picture in the viewer.

class Zoom {
  scale = 1;
  x = 0;
  y = 0;
  /** The size of the fitted picture, in CSS pixels. */
  width = 0;
  height = 0;

  /** @param stage the box into which the picture is fitted, `changed` a function to call when the scale changes */
  constructor(stage, changed) { Object.assign(this, { stage, changed }); }

  get isZoomed() { return this.scale > 1.01; }

  /** The ratio of the fitted picture to its pixels. A small picture is enlarged to at most twice its size. */
  static ratio(stage, width, height) {
    return Math.min(stage.width / width, stage.height / height, Math.max(1, 2 / devicePixelRatio));
  }

  /** Fits a picture of the given size into the stage, in a new element. */
  fit(element, width, height) {
    const ratio = Zoom.ratio(this.stage, width, height);
    this.motion = new Motion(element, 'transform');
    Object.assign(this, { element, width: width * ratio, height: height * ratio });
    element.style.width = this.width + 'px';
    element.style.height = this.height + 'px';

    // The steps above the fitted size: one, two and four device pixels per pixel of the picture.
    const own = 1 / (ratio * devicePixelRatio);
    this.steps = [own, 2 * own, 4 * own].filter(scale => scale > 1.2);
    if (!this.steps.length) this.steps = [2];
    this.maximum = this.steps.at(-1);
    this.set(1, 0, 0);
  }

  reset() { if (this.isZoomed) this.zoomTo(1, [0, 0], false); }

  /** Zooms to the next larger or smaller step around the centre of the stage. @param direction 1 or -1 */
  step(direction) {
    const steps = [1, ...this.steps];
    const next = direction > 0 ? steps.find(scale => scale > this.scale * 1.01)
      : steps.findLast(scale => scale < this.scale / 1.01);
    this.zoomTo(next || this.scale);
  }

  /** Zooms in to a point, or back out. @param least the minimum scale after zooming in */
  toggle(point, least) {
    this.zoomTo(this.isZoomed ? 1 : this.steps.find(scale => scale >= least) || this.maximum, point);
  }

  /** @param point the point that does not move, relative to the centre of the stage */
  zoomTo(scale, point = [0, 0], isSmooth = true) {
    scale = clamp(scale, 1, this.maximum);
    const ratio = scale / this.scale;
    const [x, y] = this.clamped(scale, ...this.about(point, ratio));
    if (isSmooth) this.glide(scale, x, y);
    else this.set(scale, x, y);
    this.changed();
  }

  /** The offset at which a point does not move when the picture grows by a ratio. */
  about([x, y], ratio, from = this) { return [x - (x - from.x) * ratio, y - (y - from.y) * ratio]; }

  covers(x, y) {
    const { scale } = this;
    return Math.abs(x - this.x) * 2 < this.width * scale && Math.abs(y - this.y) * 2 < this.height * scale;
  }

  /** Moves a zoomed picture up to its edges. @returns whether it moved */
  pan(dx, dy) {
    const [x, y] = this.clamped(this.scale, this.x + dx, this.y + dy);
    const isMoved = Math.hypot(x - this.x, y - this.y) > .5;
    this.glide(this.scale, x, y);
    return isMoved;
  }

  /** The nearest offset at which the picture leaves no gap at an edge of the stage that it could fill. */
  clamped(scale, x, y) {
    const maxX = Math.max(0, (this.width * scale - this.stage.width) / 2);
    const maxY = Math.max(0, (this.height * scale - this.stage.height) / 2);
    return [clamp(x, -maxX, maxX), clamp(y, -maxY, maxY)];
  }

  get transform() { return Zoom.transform(this.scale, this.x, this.y); }

  static transform(scale, x, y) { return `translate(${x}px, ${y}px) scale(${scale})`; }

  set(scale, x, y) {
    Object.assign(this, { scale, x, y });
    this.motion.set(this.transform);
  }

  glide(scale, x, y, duration = 280) {
    const from = this.transform;
    Object.assign(this, { scale, x, y });
    if (from !== this.transform) this.motion.glide(from, this.transform, duration);
  }

  /** Stops the picture where it is now. */
  freeze() {
    const matrix = this.motion.freeze();
    if (!matrix) return;
    const { a, e, f } = new DOMMatrix(matrix);
    this.set(a, e, f);
  }

  /** Moves the picture by its momentum, and back into its limits of position and scale. */
  settle(vx = 0, vy = 0) {
    const scale = clamp(this.scale, 1, this.maximum);
    const [middleX, middleY] = this.about([0, 0], scale / this.scale);
    const [x, y] = this.clamped(scale, middleX + vx * 200, middleY + vy * 200);
    const speed = Math.hypot(vx, vy);
    this.glide(scale, x, y, Motion.duration(Math.hypot(x - this.x, y - this.y), speed, speed > .1 ? 700 : 280));
    this.changed();
  }
}
