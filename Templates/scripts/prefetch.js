// Loads pictures before they are shown.

class Prefetch {
  /** The pictures by address, each with a promise that it is decoded. */
  loads = new Map();
  /** The number of calls of `want`. A newer call ends the queues of older ones. */
  generation = 0;

  /** Whether the visitor saves data, or the connection is slow. */
  get isDisabled() {
    const connection = navigator.connection;
    return !!connection && (connection.saveData || /2g|3g/.test(connection.effectiveType));
  }

  /** The picture at an address, decoded. After a failure, the picture can be requested again. */
  load(address, priority = 'high') {
    let load = this.loads.get(address);
    if (!load) {
      const image = new Image();
      image.fetchPriority = priority;
      image.src = address;
      load = { image, isReady: false };
      load.decoded = image.decode().then(() => {
        load.isReady = true;
        return image;
      });
      load.decoded.catch(() => { if (this.loads.get(address) === load) this.loads.delete(address); });
      this.loads.set(address, load);
    }
    return load;
  }

  /** A picture that `want` does not cancel, decoded; null if it fails. */
  loadUncancelled(address) {
    const image = new Image();
    image.src = address;
    return image.decode().then(() => image, () => null);
  }

  /**
   * Loads pictures one after another in the given order, and cancels all other loads.
   * @param loaded is called with each loaded picture
   * @returns whether all loads were tried; false after a newer call, or if prefetching is disabled
   */
  async want(addresses, loaded) {
    const generation = ++this.generation;
    const wanted = new Set(addresses);
    for (const [address, load] of this.loads) {
      if (wanted.has(address)) continue;
      this.loads.delete(address);
      if (!load.isReady) load.image.src = '';
    }

    if (this.isDisabled) return false;
    for (const address of wanted) {
      // A failure is reported when the picture is shown.
      const image = await this.load(address, 'low').decoded.catch(() => null);
      if (generation !== this.generation) return false;
      if (image) loaded(image);
    }
    return true;
  }
}
