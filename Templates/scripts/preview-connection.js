// The connection of a page to `gallerygen serve`: a WebSocket with one JSON object per message. A lost connection is
// made again.

class PreviewConnection {
  /** The shortest and the longest time between two attempts to connect again, in milliseconds. */
  static shortestDelay = 250;
  static longestDelay = 4000;

  delay = PreviewConnection.shortestDelay;

  /**
   * @param actions receive(message), lose() after a connection was lost, and renew(), which loads the page again, as a
   *                server that was restarted has another token, and returns whether it could be loaded
   */
  constructor(actions) {
    this.actions = actions;
    // Browsers slow down the timers of hidden pages.
    addEventListener('visibilitychange', () => document.hidden || this.retryNow());
    addEventListener('online', () => this.retryNow());
  }

  get isOpen() { return this.socket?.readyState === WebSocket.OPEN; }

  connect() {
    const { content, dataset } = document.querySelector('meta[name="preview-token"]');
    // The server sends the photos that have changed since the page was rendered.
    const address = photos.address(
      `preview/socket?token=${encodeURIComponent(content)}&photos=${dataset.photos ?? ''}`);
    this.socket = new WebSocket(address.replace('http', 'ws'));
    this.socket.onopen = () => { this.delay = PreviewConnection.shortestDelay; };
    this.socket.onmessage = ({ data }) => this.actions.receive(JSON.parse(data));
    this.socket.onclose = () => {
      this.actions.lose();
      this.wait();
    };
  }

  wait() {
    this.timer = setTimeout(() => this.retry(), this.delay);
    this.delay = Math.min(this.delay * 2, PreviewConnection.longestDelay);
  }

  retryNow() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.delay = PreviewConnection.shortestDelay;
    this.retry();
  }

  async retry() {
    this.timer = null;
    if (await this.actions.renew()) this.connect();
    else this.wait();
  }

  /** @returns whether the message was sent; false while there is no connection */
  send(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
    return this.isOpen;
  }
}
