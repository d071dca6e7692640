/**
 * Calls that can be cancelled by a message of their own, as revisions of 2025 do it. Their requests share nothing but the
 * name of a session, so that any kernel can answer any of them, also after a restart.
 */
export class OpenCalls {
  readonly #calls = new Map<string, AbortController>();

  /**
   * Returns the signal of a call, which is aborted when its client cancels it.
   * @param session undefined: the client names none, and can cancel nothing
   */
  begin(session: string | undefined, id: string | number): AbortSignal {
    const call = new AbortController();
    if (session !== undefined) this.#calls.set(keyOf(session, id), call);
    return call.signal;
  }

  end(session: string | undefined, id: string | number): void {
    if (session !== undefined) this.#calls.delete(keyOf(session, id));
  }

  /** Does nothing where there is no such call. */
  cancel(session: string, id: string | number): void {
    this.#calls.get(keyOf(session, id))?.abort();
  }
}

const keyOf = (session: string, id: string | number): string => JSON.stringify([session, id]);
