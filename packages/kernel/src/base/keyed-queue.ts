/**
 * Runs tasks with the same key one after the other, in the order of the calls, and tasks with different keys
 * concurrently.
 */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(task);
    const settled = result.then(
      () => {},
      () => {},
    );
    this.#last.set(key, settled);
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    return result;
  }

  /** Resolves when all tasks added before the call have ended, whether they failed or not. */
  async settled(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
