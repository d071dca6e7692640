/** Stores the events of a stream as they arrive and lets tests wait for them. */

/** Maximum time that a test waits for an event. */
const PATIENCE_MS = 60_000;

export abstract class KeptEvents<Told extends { type: string }> {
  /** In order of arrival. */
  readonly events: Told[] = [];
  readonly #closed = Promise.withResolvers<void>();
  #waiting: (() => void)[] = [];
  #over = false;
  #failure: Error | undefined;

  constructor() {
    // An unread rejection must not end the test's process.
    this.#closed.promise.catch(() => {});
  }

  /** Resolves with the first event that has this type or matches; an event that already arrived counts. */
  until<Type extends Told['type']>(wanted: Type): Promise<Extract<Told, { type: Type }>>;
  until(wanted: (event: Told) => boolean): Promise<Told>;
  async until(wanted: string | ((event: Told) => boolean)): Promise<Told> {
    const fits = typeof wanted === 'function' ? wanted : (event: Told) => event.type === wanted;
    const deadline = Date.now() + PATIENCE_MS;
    for (let seen = 0; ; ) {
      for (; seen < this.events.length; seen++) {
        const event = this.events[seen] as Told;
        if (fits(event)) return event;
      }
      if (this.#failure) throw this.#failure;
      if (this.#over) throw new Error(`the stream ended without ${wanted}: ${this.#seen()}`);
      await this.#more(deadline, `${wanted}`);
    }
  }

  /**
   * Resolves with all events of one turn at the end of the stream; there must be exactly one `done`, and it must be the
   * last.
   */
  async all(): Promise<Told[]> {
    await this.closed();
    const rest = this.events.slice(this.events.findIndex(event => event.type === 'done'));
    if (rest[0]?.type !== 'done' || rest.slice(1).some(event => event.type !== 'request_resolved')) {
      throw new Error(`the stream did not end with its one done: ${this.#seen()}`);
    }
    return this.events;
  }

  /** Resolves when the stream is over. Rejects if it broke off or was invalid. */
  async closed(): Promise<void> {
    await this.#closed.promise;
  }

  /** Disconnects, including the socket. */
  abstract hangUp(): void;

  protected keep(event: Told): void {
    this.events.push(event);
    this.#wake();
  }

  /** Only the first end counts. */
  protected end(failure?: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#failure = failure;
    if (failure) this.#closed.reject(failure);
    else this.#closed.resolve();
    this.#wake();
  }

  #more(deadline: number, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no ${what} came: ${this.#seen()}`)),
        deadline - Date.now(),
      );
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #wake(): void {
    for (const callback of this.#waiting.splice(0)) callback();
  }

  #seen(): string {
    return this.events.map(event => event.type).join(' ');
  }
}
