/**
 * Tracks calls that a separate message can cancel, as in revisions of 2025. Requests of a session share only its name,
 * so that any kernel can answer any of them, even after a restart.
 */
export class OpenCalls {
  readonly #calls = new Map<string, AbortController>();

  /**
   * Returns the signal of a call, which is aborted when its client cancels it.
   * @param session undefined if the client has none; it then cannot cancel calls
   */
  begin(session: string | undefined, id: string | number): AbortSignal {
    const call = new AbortController();
    if (session !== undefined) this.#calls.set(callKey(session, id), call);
    return call.signal;
  }

  end(session: string | undefined, id: string | number): void {
    if (session !== undefined) this.#calls.delete(callKey(session, id));
  }

  /** Does nothing if there is no such call. */
  cancel(session: string, id: string | number): void {
    this.#calls.get(callKey(session, id))?.abort();
  }
}

const callKey = (session: string, id: string | number): string => JSON.stringify([session, id]);
