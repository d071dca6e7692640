/**
 * Suspends event streams in hidden tabs, because a browser allows six connections per host for all tabs. A hidden tab
 * closes its streams after 30 seconds, or when another tab is shown. They resume after their last event.
 */
const HIDDEN_MS = 30_000;

export class StreamGate {
  readonly #refused: () => void;
  readonly #open = new Set<AbortController>();
  readonly #tabs = new BroadcastChannel('chat-kernel:shown');
  /** Resolved when the page is shown. */
  #resting: PromiseWithResolvers<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #shown = new Set<() => void>();

  /** @param refused called if the token is missing or invalid */
  constructor(refused: () => void) {
    this.#refused = refused;
    this.#tabs.onmessage = () => document.hidden && this.#rest();
    document.addEventListener('visibilitychange', this.#look);
    window.addEventListener('pageshow', this.#look);
    this.#look();
  }

  /** Calls the listener each time the page is shown. Returns a function that removes it. */
  onShown(listener: () => void): () => void {
    this.#shown.add(listener);
    return () => void this.#shown.delete(listener);
  }

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const streams = /\/(?:live|events)(?:\?|$)/.test(String(input));
    const response = streams ? await this.#stream(input, init) : await fetch(input, init);
    if (response.status === 401) this.#refused();
    return response;
  };

  close(): void {
    document.removeEventListener('visibilitychange', this.#look);
    window.removeEventListener('pageshow', this.#look);
    clearTimeout(this.#timer);
    this.#tabs.close();
  }

  async #stream(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
    while (this.#resting) await this.#resting.promise;
    const rest = new AbortController();
    this.#open.add(rest);
    init.signal?.addEventListener('abort', () => this.#open.delete(rest), { once: true });
    const signals = [rest.signal, ...(init.signal ? [init.signal] : [])];
    return fetch(input, { ...init, signal: AbortSignal.any(signals) });
  }

  readonly #look = (): void => {
    clearTimeout(this.#timer);
    if (document.hidden) {
      this.#timer = setTimeout(() => this.#rest(), HIDDEN_MS);
      return;
    }
    this.#tabs.postMessage('shown');
    this.#resting?.resolve();
    this.#resting = null;
    for (const listener of [...this.#shown]) listener();
  };

  #rest(): void {
    this.#resting ??= Promise.withResolvers();
    for (const line of this.#open) line.abort();
    this.#open.clear();
  }
}
