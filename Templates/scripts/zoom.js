// The scale and offset of the picture in the viewer, and the gestures of fingers, wheel and mouse that change them.

class Zoom {
  static maximum = 8;
  scale = 1;
  x = 0;
  y = 0;
  /** The size of the fitted picture, in CSS pixels. */
  width = 0;
  height = 0;
  pointers = new Map();

  /**
   * @param stage   the element that receives the gestures
   * @param slide   the element that holds the picture
   * @param actions step(direction, from, speed), close(), zoomed(scale), canZoom(), and isFixed(), which is true while
   *                no gesture may move the picture
   */
  constructor(stage, slide, actions) {
    Object.assign(this, { stage, slide, actions });
    stage.onpointerdown = event => this.down(event);
    stage.onpointermove = event => this.move(event);
    stage.onpointerup = stage.onpointercancel = event => this.up(event);
    stage.onwheel = event => this.wheel(event);
    stage.ondragstart = () => false;
  }

  get isZoomed() { return this.scale > 1.01; }

  /** Fits a picture of the given size; small ones are not enlarged. */
  fit(width, height) {
    const { clientWidth, clientHeight } = this.stage;
    const ratio = Math.min(clientWidth / width, clientHeight / height, 1);
    this.width = width * ratio;
    this.height = height * ratio;
    for (const side of ['width', 'height']) this.stage.style.setProperty('--' + side, this[side] + 'px');
    this.reset();
  }

  reset() { this.set(1, 0, 0); }

  /** Zooms about a point, in the window's coordinates. */
  zoomTo(scale, clientX, clientY, isSmooth = true) {
    if (!this.actions.canZoom()) return;
    scale = clamp(scale, 1, Zoom.maximum);
    const [fromX, fromY] = this.fromCentre(clientX, clientY);
    const ratio = scale / this.scale;
    const [x, y] = this.clamped(scale, fromX - (fromX - this.x) * ratio, fromY - (fromY - this.y) * ratio);
    this.set(scale, x, y, isSmooth);
  }

  zoomBy(factor) {
    const box = this.stage.getBoundingClientRect();
    this.zoomTo(this.scale * factor, box.x + box.width / 2, box.y + box.height / 2);
  }

  /** Moves a zoomed picture, up to its edges. @returns whether it moved */
  pan(dx, dy) {
    const [x, y] = this.clamped(this.scale, this.x + dx, this.y + dy);
    const isMoved = Math.hypot(x - this.x, y - this.y) > .5;
    this.set(this.scale, x, y, true);
    return isMoved;
  }

  fromCentre(clientX, clientY) {
    const box = this.stage.getBoundingClientRect();
    return [clientX - box.x - box.width / 2, clientY - box.y - box.height / 2];
  }

  /** The nearest offset at which the picture leaves no gap that it could fill. */
  clamped(scale, x, y) {
    const overflow = (size, space) => Math.max(0, (size * scale - space) / 2);
    const maxX = overflow(this.width, this.stage.clientWidth);
    const maxY = overflow(this.height, this.stage.clientHeight);
    return [clamp(x, -maxX, maxX), clamp(y, -maxY, maxY)];
  }

  set(scale, x, y, isSmooth = false) {
    const isNew = scale !== this.scale;
    Object.assign(this, { scale, x, y });
    this.slide.classList.toggle('smooth', isSmooth);
    this.slide.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    this.stage.classList.toggle('zoomed', this.isZoomed);
    if (isNew) this.actions.zoomed(scale);
  }

  down(event) {
    if (event.button > 0 || this.actions.isFixed() || event.target.closest('button, input')) return;
    this.stage.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    this.begin(event);
  }

  /** The middle of the pointers, and the distance between two of them. */
  pointerGeometry() {
    const [one, two = one] = [...this.pointers.values()];
    return {
      middle: [(one[0] + two[0]) / 2, (one[1] + two[1]) / 2],
      distance: Math.hypot(one[0] - two[0], one[1] - two[1]),
    };
  }

  /** Starts a gesture, and starts it anew when a finger is added or lifted. */
  begin(event) {
    const { x, y, scale } = this;
    const geometry = this.pointerGeometry();
    const wasPinch = geometry.distance || (event.type !== 'pointerdown' && this.start.wasPinch);
    this.start = { ...geometry, x, y, scale, axis: null, wasPinch };
    this.samples = [[event.timeStamp, ...geometry.middle]];
  }

  move(event) {
    if (!this.pointers.has(event.pointerId)) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const { start } = this;
    const { middle, distance } = this.pointerGeometry();

    if (start.distance) {
      if (!this.actions.canZoom()) return;
      const scale = clamp(start.scale * distance / start.distance, .6, Zoom.maximum * 1.2);
      const from = this.fromCentre(...start.middle), to = this.fromCentre(...middle);
      const ratio = scale / start.scale;
      this.set(scale, to[0] - (from[0] - start.x) * ratio, to[1] - (from[1] - start.y) * ratio);
      return;
    }

    const [dx, dy] = [middle[0] - start.middle[0], middle[1] - start.middle[1]];
    this.samples = [...this.samples.slice(-5), [event.timeStamp, ...middle]];
    if (Math.hypot(dx, dy) > 8) start.axis ??= Math.abs(dx) > Math.abs(dy) ? 'x' : 'y';
    if (!start.axis) return;

    if (this.isZoomed) {
      // Beyond its edge the picture follows a third as far as the pointer, and returns when it is released.
      const [x, y] = this.clamped(this.scale, start.x + dx, start.y + dy);
      this.set(this.scale, x + (start.x + dx - x) / 3, y + (start.y + dy - y) / 3);
    } else if (!start.wasPinch) {
      this.set(1, start.axis === 'x' ? dx : 0, start.axis === 'y' ? Math.max(0, dy) : 0);
      this.stage.classList.toggle('closing', start.axis === 'y' && dy > 0);
    }
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    this.stage.classList.remove('closing');
    if (this.pointers.size) return this.begin(event);
    const { start, stage } = this;
    const [time, x, y] = this.samples[0];
    const elapsed = Math.max(event.timeStamp - time, 1);
    const speed = [(event.clientX - x) / elapsed, (event.clientY - y) / elapsed];
    const [dx, dy] = [event.clientX - start.middle[0], event.clientY - start.middle[1]];

    if (event.type === 'pointercancel' || start.wasPinch) return this.settle();
    if (!start.axis) return this.tap(event);
    if (this.isZoomed) return this.settle(speed[0] * 200, speed[1] * 200);
    if (start.axis === 'x' && (Math.abs(dx) > stage.clientWidth / 4 || Math.abs(speed[0]) > .4)) {
      // The next picture comes in at the distance of a screen's width.
      return this.actions.step(-Math.sign(dx), dx - Math.sign(dx) * stage.clientWidth, speed[0]);
    }
    if (start.axis === 'y' && dy > 0 && (dy > stage.clientHeight / 4 || speed[1] > .5)) return this.actions.close();
    this.settle();
  }

  /** Moves the picture on by its momentum, and back to its edges. */
  settle(dx = 0, dy = 0) {
    const scale = clamp(this.scale, 1, Zoom.maximum);
    this.set(scale, ...this.clamped(scale, this.x + dx, this.y + dy), true);
  }

  /** Zooms in to the point of a double tap, or back. */
  tap(event) {
    const last = this.lastTap;
    this.lastTap = { time: event.timeStamp, x: event.clientX, y: event.clientY };
    if (!last || event.timeStamp - last.time > 350) return;
    if (Math.hypot(event.clientX - last.x, event.clientY - last.y) > 40) return;
    this.lastTap = null;
    this.zoomTo(this.isZoomed ? 1 : 2.5, event.clientX, event.clientY);
  }

  wheel(event) {
    event.preventDefault();
    if (this.actions.isFixed()) return;
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
    const factor = Math.exp(-pixels / (event.ctrlKey ? 100 : 400));
    this.zoomTo(this.scale * factor, event.clientX, event.clientY, false);
  }
}
