// Moves an element of the viewer: one of its properties follows the finger, and is animated to its final value.

class Motion {
  /** The timing function of a glide, and the ratio of its initial speed to its average speed. */
  static easing = 'cubic-bezier(.2, .7, .2, 1)';
  static slope = 3.5;

  static get isReduced() { return document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches; }

  /** The milliseconds of a glide over a distance in pixels that begins with a speed in pixels per millisecond. */
  static duration(distance, speed, longest = 280) {
    return clamp(Motion.slope * Math.abs(distance / (speed || .001)), 160, longest);
  }

  /** @param property "transform" or "opacity", which browsers animate without layout and painting */
  constructor(element, property) { Object.assign(this, { element, property }); }

  get isGliding() { return this.animation?.playState === 'running'; }

  set(value) {
    this.animation?.cancel();
    this.element.style[this.property] = value;
  }

  /** Sets the value, and animates the change. */
  glide(from, value, duration) {
    this.set(value);
    if (Motion.isReduced) return;
    const frames = { [this.property]: [from, value] };
    this.animation = this.element.animate(frames, { duration, easing: Motion.easing });
  }

  /** Stops a glide where it is now. @returns the value there; undefined if there was no glide */
  freeze() {
    if (!this.isGliding) return null;
    const value = getComputedStyle(this.element)[this.property];
    this.set(value);
    return value;
  }
}
