// The entry point on the pages of `gallerygen serve`: connects the page with the server.

const preview = {
  /** The version of the messages. A server with another one has other scripts. */
  version: 1,

  /** What is done with a message of the server, by its type. */
  actions: {
    hello({ version, filter, saved, revision }) {
      if (version !== preview.version && preview.hasConnected) return previewPage.reload();
      preview.hasConnected = true;
      preview.panel.showConnection(true);
      preview.filter.begin(filter, saved);
      preview.view.restart();
      // The page may have changed before it was connected.
      if (String(revision) !== preview.revision) previewPage.renew();
      preview.revision = String(revision);
    },

    photo: photo => previewArrivals.receive(photo),

    changed({ what, revision }) {
      preview.revision = String(revision);
      if (what.includes('scripts')) return previewPage.reload();
      previewPage.renew();
    },

    mistake: mistake => preview.panel.showMistake(mistake),
    mended: () => preview.panel.mend(),
    progress({ ready, total, attention }) {
      preview.panel.showProgress(ready, total);
      previewPage.showAttention(attention);
      // The page counts photos, and shows some of them in small pictures.
      if (ready >= total && preview.isIncomplete) previewPage.renew();
      preview.isIncomplete = ready < total;
    },

    filter({ chain }) {
      preview.filter.show(chain);
      // The page names the filter.
      previewPage.renew();
    },

    'filter-refused': ({ message, column }) => preview.filter.refuse(message, column),
    'filter-saved': ({ file }) => preview.filter.showSaved(file),
  },

  start() {
    previewMorph.tag(document.body);
    const send = message => preview.connection.send(message);
    preview.panel = new PreviewPanel();
    preview.filter = new PreviewFilter(preview.panel, send);
    preview.view = new PreviewView(send);
    preview.connection = new PreviewConnection({
      receive: message => preview.actions[message.type]?.(message),
      lose: () => preview.panel.showConnection(false),
      renew: () => previewPage.renew(),
    });
    preview.revision = document.querySelector('meta[name="preview-token"]').dataset.revision;

    // Photos appear and disappear with changes of the page, searches, and steps of the viewer.
    new MutationObserver(records => {
      preview.panel.place();
      previewPage.restoreViewer();
      preview.view.change(records);
    }).observe(document.body, {
      childList: true, subtree: true, attributes: true, attributeFilter: ['open', 'hidden'],
    });
    preview.panel.place();
    preview.connection.connect();
  },
};

preview.start();
