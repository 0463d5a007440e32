// Updates a page of a site that is being built: each photo's card is replaced when the photo is ready.

const live = {
  progress: document.querySelector('.live') || document.createElement('p'),

  /** The number of cards that the build has published up to the last poll. */
  received: 0,

  /** The number of consecutive polls without a new card. */
  idlePolls: 0,

  async poll() {
    const status = await live.load(photos.addresses.live, 'galleryLive').catch(() => null);
    if (status) await live.apply(status);
    // A site that can be reached but has no status.js is complete: its final pages are in place.
    else if (await live.load(photos.address('photos.js'), 'galleryIndex').catch(() => null)) {
      return photoUpdates.reload();
    }

    // A killed build does not report its end, so polls become rare. After an interrupted build, another may start.
    if (!live.isOver) setTimeout(live.poll, live.idlePolls < 300 && !live.hasStopped ? 1000 : 15000);
  },

  async apply({ build, first, cards, records, ready, total, end }) {
    // A new build does not publish again the cards that the previous build has published.
    if (live.build && live.build !== build) Object.assign(live, { received: 0, idlePolls: 0, hasMissed: true });
    live.build = build;
    live.hasStopped = end === 'stopped';
    live.hasMissed ||= first > live.received;
    const start = Math.max(0, live.received - first);
    live.received = first + cards.length;
    live.idlePolls = start < cards.length ? 0 : live.idlePolls + 1;
    for (const [place, card] of cards.slice(start).entries()) await photoUpdates.show(card, records[start + place]);

    const { dataset } = live.progress;
    live.progress.textContent = live.hasStopped ? dataset.stopped : format(dataset.ready, { ready, total });
    // A page that missed a card waits for the final pages.
    live.isOver = end === 'done' && !live.hasMissed;
  },

  /** The value that a script of the site sets, never from a cache. */
  load(address, variable) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = address + '?' + Date.now();
      script.onload = () => resolve(window[variable]);
      script.onerror = reject;
      script.addEventListener('load', () => script.remove());
      document.head.append(script);
    });
  },
};

addEventListener('DOMContentLoaded', live.poll);
