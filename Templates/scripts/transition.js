// The animation from a photo's thumbnail on the page into the viewer, and back.

const transition = {
  /** The image of the photo on the page, and the box that shows it; null if it is not visible. */
  thumbnail(record) {
    const image = photos.element(record)?.querySelector('img');
    if (!image) return null;
    const box = (image.closest('.card .picture') || image).getBoundingClientRect();
    return box.width && box.bottom > 0 && box.top < innerHeight ? { image, box } : null;
  },

  /** The style with which the fitted picture covers the thumbnail, as with `object-fit: cover`. */
  frame({ box }, { stage, zoom }) {
    const scale = Math.max(box.width / zoom.width, box.height / zoom.height);
    const x = box.left + box.width / 2 - stage.left - stage.width / 2;
    const y = box.top + box.height / 2 - stage.top - stage.height / 2;
    const cut = (size, shown) => Math.max(0, (size - shown / scale) / 2);
    return {
      transform: Zoom.transform(scale, x, y),
      clipPath: `inset(${cut(zoom.height, box.height)}px ${cut(zoom.width, box.width)}px)`,
    };
  },

  /**
   * Shrinks the picture from its current position into the thumbnail, or grows it from the thumbnail in reverse.
   * @returns a promise that is resolved at the end of the animation
   */
  async run(slide, thumbnail, backdrop, direction) {
    if (document.hidden) return;
    const timing = { duration: 280, easing: 'cubic-bezier(.3, .1, .2, 1)', direction, fill: 'both' };
    const canMove = thumbnail && slide.image && !Motion.isReduced;
    const shown = { transform: slide.zoom.transform, clipPath: 'inset(0px 0px)' };
    const animations = [
      backdrop.animate({ opacity: [backdrop.style.opacity, 0] }, timing),
      slide.box.animate(canMove ? [shown, this.frame(thumbnail, slide)] : { opacity: [1, 0] }, timing),
    ];
    if (canMove) thumbnail.image.classList.add('in-viewer');
    await Promise.all(animations.map(animation => animation.finished)).catch(() => {});
    thumbnail?.image.classList.remove('in-viewer');
    for (const animation of animations) animation.cancel();
  },
};
