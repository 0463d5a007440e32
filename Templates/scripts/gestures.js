// The gestures of fingers, mouse and wheel in the viewer: swipe, pinch, drag, tap. A move is shown once per frame, and
// the layout is not measured during a move.

class Gestures {
  pointers = new Map();

  /**
   * @param track   the track that the gestures move
   * @param actions step(direction, speed), close(), fade(opacity), toggleBars(), and isFixed(), which is true while no
   *                gesture may move anything
   */
  constructor(stage, track, actions) {
    Object.assign(this, { stage, track, actions });
    stage.onpointerdown = event => this.down(event);
    stage.onpointermove = event => this.move(event);
    stage.onpointerup = stage.onpointercancel = event => this.up(event);
    stage.onwheel = event => this.wheel(event);
    stage.ondragstart = () => false;
  }

  get zoom() { return this.track.current.zoom; }

  down(event) {
    if (event.button > 0 || this.actions.isFixed() || event.target.closest('button, input')) return;
    this.stage.setPointerCapture(event.pointerId);
    this.begin(event, () => this.pointers.set(event.pointerId, this.track.point(event)));
  }

  /** Starts a gesture. It also starts again when a finger is added or lifted. */
  begin(event, change) {
    const isFirst = !this.pointers.size;
    this.flush();
    change();
    const { zoom, track } = this;
    if (isFirst) {
      zoom.freeze();
      track.freeze();
      this.stage.classList.add('moving');
    }
    const { x, y, scale } = zoom;
    const geometry = this.geometry();
    this.start = {
      ...geometry, x, y, scale, shift: track.shift,
      // A track that is caught while it glides continues sideways.
      axis: track.shift ? 'x' : null,
      wasPinch: !!geometry.distance || !isFirst && this.start.wasPinch,
      canClose: isFirst ? !zoom.isZoomed && !track.shift : this.start.canClose,
    };
    this.samples = [[event.timeStamp, ...geometry.middle]];
  }

  /** The centre of the pointers, and the distance between two of them. */
  geometry() {
    const [one, two = one] = [...this.pointers.values()];
    return {
      middle: [(one[0] + two[0]) / 2, (one[1] + two[1]) / 2],
      distance: Math.hypot(one[0] - two[0], one[1] - two[1]),
    };
  }

  move(event) {
    if (!this.pointers.has(event.pointerId)) return;
    this.pointers.set(event.pointerId, this.track.point(event));
    this.samples = [...this.samples.slice(-7), [event.timeStamp, ...this.geometry().middle]];
    this.frame ??= requestAnimationFrame(() => this.flush());
  }

  /** Shows the movement of the pointers since the last frame. */
  flush() {
    if (!this.frame) return;
    cancelAnimationFrame(this.frame);
    this.frame = null;
    const { start } = this;
    const { middle, distance } = this.geometry();
    if (start.distance) this.pinch(middle, distance);
    else this.drag(middle[0] - start.middle[0], middle[1] - start.middle[1]);
  }

  pinch(middle, distance) {
    const { start, zoom } = this;
    let scale = start.scale * distance / start.distance;
    // Beyond its limits, the scale follows the fingers less and less.
    if (scale > zoom.maximum) scale = zoom.maximum * (scale / zoom.maximum) ** .4;
    if (scale < 1 && !start.canClose) scale **= .4;
    if (start.canClose) this.actions.fade(clamp(scale * 1.6 - .6, 0, 1));
    const [x, y] = zoom.about(start.middle, scale / start.scale, start);
    zoom.set(scale, x + middle[0] - start.middle[0], y + middle[1] - start.middle[1]);
  }

  drag(dx, dy) {
    const { start, zoom, track } = this;
    if (Math.hypot(dx, dy) > 8) start.axis ??= Math.abs(dx) > Math.abs(dy) ? 'x' : 'y';
    if (!start.axis) return;
    const wanted = [start.x + start.shift + dx, start.y + dy];

    if (start.wasPinch && !zoom.isZoomed) return;
    if (start.axis === 'y' && start.canClose) {
      zoom.set(1, start.x, wanted[1]);
      this.actions.fade(Math.max(0, 1 - Math.abs(wanted[1]) / (track.stage.height * .6)));
      return;
    }
    // When the picture has reached its edge, the track moves.
    const [x, y] = zoom.clamped(zoom.scale, ...wanted);
    zoom.set(zoom.scale, x, zoom.isZoomed ? y + (wanted[1] - y) / 3 : y);
    track.drag(wanted[0] - x);
  }

  up(event) {
    if (!this.pointers.has(event.pointerId)) return;
    this.flush();
    const lift = () => this.pointers.delete(event.pointerId);
    if (this.pointers.size > 1) return this.begin(event, lift);
    lift();
    this.stage.classList.remove('moving');
    const { start, zoom, track } = this;
    const [vx, vy] = this.speed(event);

    if (event.type === 'pointercancel') return this.settle();
    if (start.wasPinch) return start.canClose && zoom.scale < .75 ? this.close() : this.settle();
    if (!start.axis) return this.tap(event);
    if (start.axis === 'y' && start.canClose) {
      const isFast = Math.abs(vy) > .5;
      return (isFast ? vy * zoom.y > 0 : Math.abs(zoom.y) > track.stage.height / 5) ? this.close() : this.settle();
    }
    const { shift } = track;
    // A fling shows the neighbour, unless the finger has turned back. A move of a zoomed picture does not count as a
    // fling.
    const isFling = Math.abs(vx) > .4 && Math.abs(zoom.x - start.x) < 1;
    const isTurned = isFling ? vx * (shift - start.shift) > 0
      : Math.abs(shift) > track.stage.width / (start.shift ? 2 : 4);
    const way = Math.sign(isFling ? vx : shift);
    if (isTurned && track.hasPhoto(way)) return this.actions.step(-way * track.direction, vx);
    this.settle(vx, vy);
  }

  /** The speed over the last tenth of a second, in pixels per millisecond. */
  speed({ timeStamp }) {
    const recent = this.samples.filter(([time]) => timeStamp - time < 100);
    const first = recent[0] || [0, 0, 0];
    const last = recent.at(-1) || first;
    return [1, 2].map(axis => (last[axis] - first[axis]) / Math.max(timeStamp - first[0], 1));
  }

  settle(vx, vy) {
    this.zoom.settle(vx, vy);
    this.track.settle(vx);
    this.actions.fade(1);
  }

  /** Closes the viewer. If it closes only a menu, the picture returns to its place. */
  close() { if (!this.actions.close()) this.settle(); }

  /** A tap shows or hides the bars, and a double tap zooms. A click zooms, or closes the viewer outside the picture. */
  tap(event) {
    const { zoom, track, lastTap } = this;
    this.settle();
    const [x, y] = track.point(event);
    if (event.pointerType === 'mouse') {
      if (zoom.covers(x, y)) zoom.toggle([x, y], 1.2);
      else this.close();
      return;
    }
    clearTimeout(lastTap?.timer);
    this.lastTap = null;
    if (lastTap && event.timeStamp - lastTap.time < 350 && Math.hypot(x - lastTap.x, y - lastTap.y) < 40) {
      zoom.toggle([x, y], 1.8);
      return;
    }
    const timer = setTimeout(() => this.actions.toggleBars(), 350);
    this.lastTap = { time: event.timeStamp, x, y, timer };
  }

  wheel(event) {
    event.preventDefault();
    const { zoom, track } = this;
    if (this.actions.isFixed() || this.pointers.size) return;
    // The browser redraws the picture when the wheel stops, and not at each of its events.
    this.stage.classList.add('zooming');
    clearTimeout(this.wheelTimer);
    this.wheelTimer = setTimeout(() => this.stage.classList.remove('zooming'), 200);
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
    const factor = Math.exp(-pixels / (event.ctrlKey ? 100 : 400));
    zoom.zoomTo(zoom.scale * factor, track.point(event), false);
  }
}
