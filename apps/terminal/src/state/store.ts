/** An observable value for React's useSyncExternalStore. */

export class StateStore<State extends object> {
  #state: State;
  readonly #listeners = new Set<() => void>();

  constructor(state: State) {
    this.#state = state;
  }

  readonly get = (): State => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly set = (change: Partial<State>): void => {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  };
}
