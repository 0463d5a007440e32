// Pictures that are loaded ahead of the reader, as a collection view does.

class Prefetch {
  /** By address: the picture, and a promise that it is decoded. */
  loads = new Map();
  /** Grows with every turn: a queue of an earlier turn stops by itself. */
  turn = 0;

  /** Whether the connection is one to spare. */
  get isFrugal() {
    const connection = navigator.connection;
    return !!connection && (connection.saveData || /2g|3g/.test(connection.effectiveType));
  }

  /** The picture at an address, decoded; a failure is not kept, so that it can be tried again. */
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

  /** A picture that no turn gives up, decoded; null if it fails. */
  need(address) {
    const image = new Image();
    image.src = address;
    return image.decode().then(() => image, () => null);
  }

  /** Loads what is wanted, one after the other in the order given, and gives up whatever else is under way. */
  async want(addresses) {
    const turn = ++this.turn;
    const wanted = new Set(addresses);
    for (const [address, load] of this.loads) {
      if (wanted.has(address)) continue;
      this.loads.delete(address);
      if (!load.isReady) load.image.src = '';
    }
    if (this.isFrugal) return;
    for (const address of wanted) {
      // The failure of the current one is told where it is shown, that of the others when they are.
      await this.load(address, 'low').decoded.catch(() => {});
      if (turn !== this.turn) return;
    }
  }
}
