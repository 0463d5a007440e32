// What moves in the viewer: one property of an element that follows the finger, and glides to where it comes to rest.

class Motion {
  /** The curve of a glide. It begins this many times as fast as a glide of constant speed. */
  static easing = 'cubic-bezier(.2, .7, .2, 1)';
  static slope = 3.5;

  static get isReduced() { return document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches; }

  /** Milliseconds of a glide over this many pixels that begins with the speed given, in pixels a millisecond. */
  static duration(distance, speed, longest = 280) {
    return clamp(Motion.slope * Math.abs(distance / (speed || .001)), 160, longest);
  }

  /** @param property "transform" or "opacity": what browsers move without layout and painting */
  constructor(element, property) { Object.assign(this, { element, property }); }

  get isGliding() { return this.animation?.playState === 'running'; }

  set(value) {
    this.animation?.cancel();
    this.element.style[this.property] = value;
  }

  /** Sets the value, and shows the way to it. */
  glide(from, value, duration) {
    this.set(value);
    if (Motion.isReduced) return;
    const frames = { [this.property]: [from, value] };
    this.animation = this.element.animate(frames, { duration, easing: Motion.easing });
  }

  /** Stops a glide where it is seen. @returns the value there, or nothing if there was none */
  hold() {
    if (!this.isGliding) return null;
    const value = getComputedStyle(this.element)[this.property];
    this.set(value);
    return value;
  }
}
